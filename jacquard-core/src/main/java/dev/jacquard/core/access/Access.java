package dev.jacquard.core.access;

/**
 * How a task touches a resource. Users may add their own kinds.
 *
 * <p>Laws, which the engine relies on: the methods are pure and do not block; two accesses of which neither writes never
 * conflict; an access covers itself; <em>covers</em> is transitive; what conflicts with an access conflicts with whatever
 * covers that access too. A kind that meets one it does not know answers by {@link #reads()} and {@link #writes()} alone:
 * it takes the other for an access to the whole resource.
 */
public interface Access {
    /** Whether a task with this access must wait for an earlier one with {@code earlier}. The later one is asked. */
    boolean conflictsWith(Access earlier);

    /** Whether this access allows all that {@code other} allows (is a superset of it). */
    boolean covers(Access other);

    /** Whether the task sees what was there before. */
    boolean reads();

    /** Whether the task changes anything that others can see. */
    boolean writes();

    /**
     * The same access to the whole resource: what an access to a part of it comes to for who looks from above or below.
     * Asked when the other access is to a parent or to a sub-resource of the resource. An access to an area answers its
     * kind.
     */
    default Access whole() {
        return this;
    }

    /** Reads the whole resource. */
    static Access read() {
        return Mode.READ;
    }

    /** Reads and writes the whole resource. */
    static Access write() {
        return Mode.WRITE;
    }

    /** Writes the whole resource without reading it. */
    static Access overwrite() {
        return Mode.OVERWRITE;
    }

    /** Reads an area of the resource. */
    static Access read(Area area) {
        return new AreaAccess(Mode.READ, area);
    }

    /** Reads and writes an area of the resource. */
    static Access write(Area area) {
        return new AreaAccess(Mode.WRITE, area);
    }

    /** Writes an area of the resource without reading it. */
    static Access overwrite(Area area) {
        return new AreaAccess(Mode.OVERWRITE, area);
    }
}
