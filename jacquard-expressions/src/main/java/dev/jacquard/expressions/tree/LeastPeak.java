package dev.jacquard.expressions.tree;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds an order of computations in which the most memory that is live at once is least. While one is computed, its
 * operands and its result are live; the result is live until its last reader is computed.
 *
 * <p>A search over the sets of computations that are over, in steps of one computation: of all orders that lead to a
 * set only the one with the least peak goes on. Where a computation is ready that adds nothing and exceeds no peak so
 * far, it comes next: to compute it later is never better. Up to {@value #EXACT} computations in a part of the graph
 * that hangs together, all sets are looked at, and the order is an optimum; of larger parts the sets that look best.
 *
 * <p>Confined to one thread.
 */
final class LeastPeak {
    /** The computations up to which no set is left out: of 14 there are at most 3,432 sets of a size. */
    static final int EXACT = 14;

    private static final int KEPT_SETS = 100;

    private final int count;
    private final int[] sizes;
    private final List<BitSet> reads;
    private final List<BitSet> readers = new ArrayList<>();

    /** The computations that are over, in an order that is known by the last one and the way before. */
    private record Way(
            BitSet over,
            int live,
            int peak,
            int last,
            @Nullable Way before) {}

    private LeastPeak(int[] sizes, List<BitSet> reads) {
        this.count = sizes.length;
        this.sizes = sizes;
        this.reads = reads;
        for (int i = 0; i < count; i++) {
            readers.add(new BitSet(count));
        }
        for (int i = 0; i < count; i++) {
            int reader = i;
            reads.get(i).stream().forEach(read -> readers.get(read).set(reader));
        }
    }

    /**
     * Returns the computations in the order found; in the given order where nothing is gained.
     *
     * @param sizes of the result of each computation; 0 for a result that does not count
     * @param reads the computations with the results that each reads, all of them before it in the given order
     */
    static List<Integer> order(int[] sizes, List<BitSet> reads) {
        LeastPeak all = new LeastPeak(sizes, reads);
        List<Integer> order = new ArrayList<>();
        for (BitSet part : all.parts()) {
            order.addAll(all.order(part));
        }
        return order;
    }

    /** Returns the greatest size that is live at once in some order. */
    static int peak(List<Integer> order, int[] sizes, List<BitSet> reads) {
        LeastPeak all = new LeastPeak(sizes, reads);
        Way way = new Way(new BitSet(), 0, 0, -1, null);
        for (int next : order) {
            way = all.step(way, next);
        }
        return way.peak;
    }

    /** Returns the parts of the graph that hang together, each by its first computation. */
    private List<BitSet> parts() {
        List<BitSet> parts = new ArrayList<>();
        BitSet seen = new BitSet(count);
        for (int first = seen.nextClearBit(0); first < count; first = seen.nextClearBit(first)) {
            BitSet part = new BitSet(count);
            BitSet added = new BitSet(count);
            added.set(first);
            while (!added.isEmpty()) {
                part.or(added);
                BitSet next = new BitSet(count);
                added.stream().forEach(i -> {
                    next.or(reads.get(i));
                    next.or(readers.get(i));
                });
                next.andNot(part);
                added = next;
            }
            seen.or(part);
            parts.add(part);
        }
        return parts;
    }

    private List<Integer> order(BitSet part) {
        int size = part.cardinality();
        Map<BitSet, Way> layer = new LinkedHashMap<>();
        layer.put(new BitSet(count), new Way(new BitSet(count), 0, 0, -1, null));
        for (int i = 0; i < size; i++) {
            Map<BitSet, Way> next = new LinkedHashMap<>();
            for (Way way : layer.values()) {
                extend(way, part, next);
            }
            boolean isTooLarge = size > EXACT && next.size() > KEPT_SETS;
            layer = isTooLarge ? best(next) : next;
        }
        List<Integer> order = new ArrayList<>();
        for (Way way = layer.values().iterator().next(); way.before != null; way = way.before) {
            order.addFirst(way.last);
        }
        return order;
    }

    private void extend(Way way, BitSet part, Map<BitSet, Way> next) {
        List<Way> all = new ArrayList<>();
        for (int i = part.nextSetBit(0); i >= 0; i = part.nextSetBit(i + 1)) {
            if (!way.over.get(i) && isReady(i, way.over)) {
                Way longer = step(way, i);
                if (longer.live <= way.live && longer.peak == way.peak) {
                    all = List.of(longer);
                    break;
                }
                all.add(longer);
            }
        }
        for (Way longer : all) {
            next.merge(longer.over, longer, (one, other) -> other.peak < one.peak ? other : one);
        }
    }

    private boolean isReady(int computation, BitSet over) {
        BitSet missing = (BitSet) reads.get(computation).clone();
        missing.andNot(over);
        return missing.isEmpty();
    }

    private Way step(Way way, int next) {
        BitSet over = (BitSet) way.over.clone();
        over.set(next);
        int during = way.live + sizes[next];
        int live = readers.get(next).isEmpty() ? way.live : during;
        BitSet its = reads.get(next);
        for (int i = its.nextSetBit(0); i >= 0; i = its.nextSetBit(i + 1)) {
            BitSet left = (BitSet) readers.get(i).clone();
            left.andNot(over);
            live -= left.isEmpty() ? sizes[i] : 0;
        }
        return new Way(over, live, Math.max(way.peak, during), next, way);
    }

    private static Map<BitSet, Way> best(Map<BitSet, Way> layer) {
        Map<BitSet, Way> kept = new LinkedHashMap<>();
        layer.values().stream()
                .sorted(Comparator.comparingInt(Way::peak).thenComparingInt(Way::live))
                .limit(KEPT_SETS)
                .forEach(way -> kept.put(way.over, way));
        return kept;
    }
}
