package dev.jacquard.core.access;

/**
 * An access to an area of a resource. Meets accesses to the whole resource too.
 *
 * @param mode what is done there
 * @param area where; all areas of one resource have the same number of dimensions
 */
public record AreaAccess(Mode mode, Area area) implements Access {
    @Override
    public boolean conflictsWith(Access earlier) {
        return mode.conflictsWith(earlier) && (!(earlier instanceof AreaAccess other) || area.intersects(other.area));
    }

    @Override
    public boolean covers(Access other) {
        return mode.covers(other) && other instanceof AreaAccess part && area.contains(part.area);
    }

    @Override
    public boolean reads() {
        return mode.reads();
    }

    @Override
    public boolean writes() {
        return mode.writes();
    }

    @Override
    public Access whole() {
        return mode;
    }

    @Override
    public String toString() {
        return mode + " " + area;
    }
}
