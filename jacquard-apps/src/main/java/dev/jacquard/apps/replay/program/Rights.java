package dev.jacquard.apps.replay.program;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What accesses allow, and which of them are in each other's way. Immutable.
 *
 * <p>Areas of different resources have no common coordinates: where a resource meets its parent, only the modes count.
 */
public final class Rights {
    private final ResourceTree tree;

    /** Rights on the resources of {@code tree}. */
    public Rights(ResourceTree tree) {
        this.tree = tree;
    }

    /** Whether the two need an order, or, in an unordered tree, exclude each other. */
    public boolean conflict(AccessSpec one, AccessSpec other) {
        return one.mode().conflictsWith(other.mode())
                && tree.meet(one.resource(), other.resource())
                && (!one.resource().equals(other.resource()) || touch(one, other));
    }

    private static boolean touch(AccessSpec one, AccessSpec other) {
        return one.area() == null || other.area() == null || one.area().intersects(other.area());
    }

    /** Whether {@code held} allows all that {@code wanted} does; to the same resource, or to one that has it as a part. */
    public boolean covers(AccessSpec held, AccessSpec wanted) {
        if (!held.mode().covers(wanted.mode()) || !tree.isWithin(wanted.resource(), held.resource())) {
            return false;
        }
        if (held.area() == null || wanted.mode() == AccessMode.NONE) {
            return true;
        }
        return held.resource().equals(wanted.resource())
                && wanted.area() != null
                && held.area().contains(wanted.area());
    }

    /** Whether one of {@code held} covers {@code wanted}. */
    public boolean covers(List<AccessSpec> held, AccessSpec wanted) {
        return held.stream().anyMatch(access -> covers(access, wanted));
    }

    /**
     * The accesses after a demotion: {@code to} stands for all that were held to its resource.
     *
     * @return empty when none of those covers {@code to}
     */
    public Optional<List<AccessSpec>> demote(List<AccessSpec> held, AccessSpec to) {
        List<AccessSpec> left = new ArrayList<>();
        boolean covered = false;
        for (AccessSpec access : held) {
            if (access.resource().equals(to.resource())) {
                covered |= covers(access, to);
            } else {
                left.add(access);
            }
        }
        left.add(to);
        return covered ? Optional.of(List.copyOf(left)) : Optional.empty();
    }
}
