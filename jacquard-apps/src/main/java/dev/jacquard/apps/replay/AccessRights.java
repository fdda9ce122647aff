package dev.jacquard.apps.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rights that accesses give, and the conflicts between them. Immutable.
 *
 * <p>Areas of different resources have no common coordinates: where a resource meets its parent, only the modes count.
 */
final class AccessRights {
    private final ResourceTree tree;

    /** AccessRights on the resources of {@code tree}. */
    public AccessRights(ResourceTree tree) {
        this.tree = tree;
    }

    /** Returns true if the two need an order, or, in an unordered tree, exclude each other. */
    public boolean conflict(AccessSpec one, AccessSpec other) {
        return one.mode().conflictsWith(other.mode())
                && tree.meet(one.resource(), other.resource())
                && (!one.resource().equals(other.resource()) || touch(one, other));
    }

    private static boolean touch(AccessSpec one, AccessSpec other) {
        return one.area() == null || other.area() == null || one.area().intersects(other.area());
    }

    /**
     * Returns true if {@code held} allows all that {@code wanted} does; to the same resource, or to one that has it as
     * a part.
     */
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

    /** Returns true if one of {@code held} covers {@code wanted}. */
    public boolean covers(List<AccessSpec> held, AccessSpec wanted) {
        return held.stream().anyMatch(access -> covers(access, wanted));
    }

    /**
     * The accesses after a demotion: {@code to} replaces one to its resource that covers it, the first that writes if
     * one does.
     *
     * @return empty when none covers {@code to}
     */
    public Optional<List<AccessSpec>> demote(List<AccessSpec> held, AccessSpec to) {
        List<AccessSpec> covering = held.stream()
                .filter(access -> access.resource().equals(to.resource()) && covers(access, to))
                .toList();
        return covering.stream()
                .filter(access -> access.mode().writes())
                .findFirst()
                .or(() -> covering.stream().findFirst())
                .map(replaced -> {
                    List<AccessSpec> left = new ArrayList<>(held);
                    left.set(held.indexOf(replaced), to);
                    return List.copyOf(left);
                });
    }
}
