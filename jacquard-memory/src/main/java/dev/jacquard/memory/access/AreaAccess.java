package dev.jacquard.memory.access;

import java.util.Objects;

/**
 * An access to an area of a resource: a kind of access, and where. Meets accesses to the whole resource too.
 *
 * <p>Two of them conflict when their kinds do and their areas intersect; one covers another when its kind and its area
 * do. With {@link Mode#UPDATE} on both sides the areas alone decide.
 *
 * <p>Source: the resource-register document, sections 7.1.2 (area access) and 7.1.3 (field access).
 *
 * @param kind the kind of access there: a {@link Mode}, an entry of an {@link AccessTable}, or a user's own kind of
 *     access to a whole resource
 * @param area where; all areas of one resource have the same number of dimensions, and bounds of the same type
 */
public record AreaAccess(Access kind, Area area) implements Access {
    /** @throws IllegalArgumentException when {@code kind} is itself an access to a part of the resource */
    public AreaAccess {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(area, "area");
        if (kind.whole() != kind) {
            throw new IllegalArgumentException("an access to an area needs a kind of access to a whole resource, not "
                    + kind + ", which is to a part of it");
        }
    }

    @Override
    public boolean conflictsWith(Access earlier) {
        return earlier instanceof AreaAccess other
                ? kind.conflictsWith(other.kind) && area.intersects(other.area)
                : kind.conflictsWith(earlier);
    }

    @Override
    public boolean covers(Access other) {
        if (!other.reads() && !other.writes()) {
            return true;
        }
        return other instanceof AreaAccess part && kind.covers(part.kind) && area.contains(part.area);
    }

    @Override
    public boolean reads() {
        return kind.reads();
    }

    @Override
    public boolean writes() {
        return kind.writes();
    }

    @Override
    public Access whole() {
        return kind;
    }

    @Override
    public String toString() {
        return kind + " " + area;
    }
}
