package dev.jacquard.memory.access;

import java.util.Set;

/**
 * The way in which a task touches a resource. Users may add their own kinds.
 *
 * <p>Laws, which the engine relies on:
 *
 * <ul>
 *   <li>The methods are pure, do not block, and may be called by any thread.
 *   <li>Two accesses of which neither writes never conflict. An access that neither reads nor writes conflicts with
 *       nothing, and everything covers it.
 *   <li>An access covers itself; <em>covers</em> is transitive; an access that covers a writing access writes.
 *   <li>An access that conflicts with another conflicts with whatever covers that other too, whichever of the two is
 *       asked.
 *   <li>{@link #whole()} covers the access, reads and writes like it, and is its own whole.
 *   <li>A kind that meets one that it does not know asks for its {@link #whole()}; when it does not know that either,
 *       it answers by {@link #reads()} and {@link #writes()} alone ({@link Mode#ofStranger}): it takes the other for an
 *       access to the whole resource.
 *   <li>Two accesses of one class that have {@link #keys()} and share none do not conflict.
 * </ul>
 *
 * <p>Conflicts need not be symmetric: the later access is asked.
 *
 * <p>Source: the resource-register document, section 7.1, where the questions are {@code is_dependent_of} and
 * {@code is_superset_of}.
 */
public interface Access {
    /** Returns true if a task with this access must wait for an earlier task with {@code earlier}. */
    boolean conflictsWith(Access earlier);

    /** Returns true if this access allows all that {@code other} allows (is a superset of it). */
    boolean covers(Access other);

    /** Returns true if the task sees the contents from before. */
    boolean reads();

    /** Returns true if the task changes anything that other tasks can see. */
    boolean writes();

    /**
     * Returns the same access to the whole resource. It is compared with accesses to a parent or to a sub-resource of
     * the resource. An access to an area returns its kind.
     */
    default Access whole() {
        return this;
    }

    /**
     * Returns the keys of the parts of the resource that the access may touch, compared by {@code equals}; none if it
     * may touch any part. An access with keys is not asked about accesses of its class that share no key with it,
     * however many there are: without keys each submission asks about all that are live, or have failed.
     */
    default Set<?> keys() {
        return Set.of();
    }

    /** Reads the whole resource. */
    static Access read() {
        return Mode.READ;
    }

    /** Reads and writes the whole resource. */
    static Access update() {
        return Mode.UPDATE;
    }

    /** Writes the whole resource without reading it. */
    static Access write() {
        return Mode.WRITE;
    }

    /** Adds to, or subtracts from, the whole resource atomically. */
    static Access add() {
        return Mode.ADD;
    }

    /** Multiplies or divides the whole resource atomically. */
    static Access mul() {
        return Mode.MUL;
    }

    /** Does not touch the resource: the rest of an access that was given up. */
    static Access none() {
        return Mode.NONE;
    }

    /** Reads an area of the resource. */
    static Access read(Area area) {
        return new AreaAccess(Mode.READ, area);
    }

    /** Reads and writes an area of the resource. */
    static Access update(Area area) {
        return new AreaAccess(Mode.UPDATE, area);
    }

    /** Writes an area of the resource without reading it. */
    static Access write(Area area) {
        return new AreaAccess(Mode.WRITE, area);
    }

    /** Adds to, or subtracts from, an area of the resource atomically. */
    static Access add(Area area) {
        return new AreaAccess(Mode.ADD, area);
    }

    /** Multiplies or divides an area of the resource atomically. */
    static Access mul(Area area) {
        return new AreaAccess(Mode.MUL, area);
    }
}
