package dev.jacquard.apps.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The places that failed and cancelled tasks were to write, and that no task has written since. Confined to one check.
 *
 * <p>Each place listed is poisoned for certain: where the extent of a whole is not known, it is larger than any area.
 */
final class Poison {
    /**
     * The place that one access was to write.
     *
     * @param writer the task's name
     * @param access the access
     * @param cleared areas of it that were overwritten since
     */
    private record Stain(String writer, AccessSpec access, List<Box> cleared) {}

    private final ResourceTree tree;
    private final AccessRights rights;
    private final List<Stain> stains = new ArrayList<>();

    Poison(ResourceTree tree, AccessRights rights) {
        this.tree = tree;
        this.rights = rights;
    }

    /** The same, to be changed apart. */
    Poison copy() {
        Poison copy = new Poison(tree, rights);
        copy.stains.addAll(stains);
        return copy;
    }

    /** {@code writer} did not write the place of {@code access}. */
    void add(String writer, AccessSpec access) {
        if (access.mode().writes() && !tree.isUnordered(access.resource())) {
            stains.add(new Stain(writer, access, List.of()));
        }
    }

    /** A task overwrote the place of {@code access}. */
    void clear(AccessSpec access) {
        if (access.mode() != AccessMode.WRITE) {
            return;
        }
        Box area = access.area();
        if (area == null) {
            stains.removeIf(stain -> tree.isWithin(stain.access().resource(), access.resource()));
        } else {
            stains.replaceAll(stain -> stain.access().resource().equals(access.resource())
                    ? new Stain(
                            stain.writer(),
                            stain.access(),
                            Stream.concat(stain.cleared().stream(), Stream.of(area))
                                    .toList())
                    : stain);
        }
    }

    /** The name of a task with a missing result that {@code access} certainly reads. */
    Optional<String> readBy(AccessSpec access) {
        if (!access.mode().reads()) {
            return Optional.empty();
        }
        return stains.stream()
                .filter(stain -> rights.conflict(stain.access(), access) && isHit(stain, access))
                .map(Stain::writer)
                .findFirst();
    }

    private static boolean isHit(Stain stain, AccessSpec access) {
        if (stain.cleared().isEmpty()) {
            return true;
        }
        if (!stain.access().resource().equals(access.resource())) {
            return false; // the cleared place may be the place that is read
        }
        Box written = stain.access().area();
        Box read = access.area();
        if (written == null && read == null) {
            return true;
        }
        Box both = written == null ? read : read == null ? written : common(written, read);
        return both != null && !isCovered(both, stain.cleared());
    }

    private static Box common(Box one, Box other) {
        List<Interval> intervals = new ArrayList<>();
        for (int i = 0; i < one.dimensions(); i++) {
            Interval a = one.intervals().get(i);
            Interval b = other.intervals().get(i);
            intervals.add(new Interval(Math.max(a.low(), b.low()), Math.min(a.high(), b.high())));
        }
        return new Box(intervals);
    }

    /** Returns true if {@code covers} together have every coordinate of {@code box}. */
    static boolean isCovered(Box box, List<Box> covers) {
        List<Box> left = List.of(box);
        for (Box cover : covers) {
            left = left.stream().flatMap(part -> without(part, cover).stream()).toList();
        }
        return left.isEmpty();
    }

    /** The parts of {@code box} outside {@code hole}: dimension by dimension, the parts below and above it. */
    private static List<Box> without(Box box, Box hole) {
        if (!box.intersects(hole)) {
            return List.of(box);
        }
        List<Box> parts = new ArrayList<>();
        List<Interval> rest = new ArrayList<>(box.intervals());
        for (int i = 0; i < box.dimensions(); i++) {
            Interval mine = rest.get(i);
            Interval cut = hole.intervals().get(i);
            if (mine.low() < cut.low()) {
                parts.add(replaced(rest, i, new Interval(mine.low(), cut.low() - 1)));
            }
            if (mine.high() > cut.high()) {
                parts.add(replaced(rest, i, new Interval(cut.high() + 1, mine.high())));
            }
            rest.set(i, new Interval(Math.max(mine.low(), cut.low()), Math.min(mine.high(), cut.high())));
        }
        return parts;
    }

    private static Box replaced(List<Interval> intervals, int index, Interval interval) {
        List<Interval> changed = new ArrayList<>(intervals);
        changed.set(index, interval);
        return new Box(changed);
    }
}
