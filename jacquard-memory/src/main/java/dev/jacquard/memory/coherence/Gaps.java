package dev.jacquard.memory.coherence;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The free parts of a file. A part that is given back is joined with its neighbours; the smallest part that is large
 * enough is taken first.
 *
 * <p>Guarded like its space.
 *
 * <p>Source: Knuth, The Art of Computer Programming, volume 1, section 2.5 (best fit, with boundaries that are looked
 * up).
 */
final class Gaps {
    private record Gap(long length, long offset) {}

    /** Length by offset. None touches another, or the end. */
    private final TreeMap<Long, Long> byOffset = new TreeMap<>();

    private final TreeSet<Gap> bySize =
            new TreeSet<>(Comparator.comparingLong(Gap::length).thenComparingLong(Gap::offset));
    private long end;

    /** Takes a part of {@code length}. Returns where it begins. */
    long take(long length) {
        Gap best = bySize.ceiling(new Gap(length, 0));
        if (best == null) {
            long offset = end;
            end += length;
            return offset;
        }
        remove(best.offset, best.length);
        if (best.length > length) {
            add(best.offset + length, best.length - length);
        }
        return best.offset;
    }

    /** Gives back a taken range. */
    void give(long offset, long length) {
        long from = offset;
        long to = offset + length;
        Map.Entry<Long, Long> before = byOffset.floorEntry(offset);
        if (before != null && before.getKey() + before.getValue() == from) {
            from = before.getKey();
            remove(from, before.getValue());
        }
        Long after = byOffset.get(to);
        if (after != null) {
            remove(to, after);
            to += after;
        }
        if (to == end) {
            end = from;
        } else {
            add(from, to - from);
        }
    }

    /** Returns the end of all that is in use. */
    long end() {
        return end;
    }

    private void add(long offset, long length) {
        byOffset.put(offset, length);
        bySize.add(new Gap(length, offset));
    }

    private void remove(long offset, long length) {
        byOffset.remove(offset);
        bySize.remove(new Gap(length, offset));
    }
}
