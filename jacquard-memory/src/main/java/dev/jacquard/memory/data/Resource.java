package dev.jacquard.memory.data;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An identity that accesses refer to. It need not hold data: a communicator, a message tag or a file are resources too.
 *
 * <p>Resources form trees: an access to a sub-resource conflicts with one to its parent, and not with one to a sibling.
 * The two buffers of a double buffer are sub-resources of it. The whole tree of an <em>unordered</em> resource is
 * unordered: conflicting tasks exclude each other, in any order. Without a value it is a lock: a task that fails while
 * it holds it does the others no harm.
 *
 * <p>Threads: name, parent and kind are constant; {@link #tracker}, {@link #lastAccess} and {@link #areas} see there.
 *
 * <p>Source: the resource-register document, sections 3.1.4, 4.2.1 and 5.
 */
public class Resource {
    /**
     * The number of levels of a tree. Where tasks access a resource is looked for along its tree by methods that call
     * themselves, some of them in a worker's stack.
     */
    public static final int MOST_LEVELS = 1000;

    private final String name;
    private final Object owner;
    private final @Nullable Resource parent;
    private final boolean unordered;
    /** True if this, or a resource that it is a part of, is a handle of a loan. */
    private final boolean lent;

    private boolean plain;
    /**
     * The owner's note of the task inside which it was made; null for none. Written before others see the resource, and
     * nulled when that is of no interest any more, by any submission: a reader that misses it asks in vain. So it is
     * with {@link #plain}.
     */
    private @Nullable Object origin;
    /**
     * The live accesses that the owner's dependency inference knows of. It is here and not in a map, since looking it
     * up is on the path of every submission. Written and read under the lock that submissions to the owner take.
     */
    private @Nullable Object tracker;
    /**
     * How it was accessed last by a task with one access: a mode, or the list of that access; null before. Written by
     * any thread that declares one, without an order: both are immutable, with final fields, and a thread that misses
     * the list makes another.
     */
    private @Nullable Object lastAccess;

    /**
     * The number of dimensions of its areas, negative when their coordinates are real; 0 when not known yet. Written by
     * submissions to the owner and to the insides of its tasks, which have different locks; a race between two that
     * differ is found by the accesses themselves when they meet.
     */
    private volatile int areas;

    /**
     * A resource.
     *
     * @param name shown in messages, traces and drawings
     * @param owner the session; its tasks may access it
     */
    public Resource(String name, Object owner) {
        this(name, owner, null, false);
    }

    /**
     * A resource.
     *
     * @param name shown in messages, traces and drawings
     * @param owner the session; its tasks may access it
     * @param parent the resource that it is a part of, or null
     * @param unordered whether conflicting accesses exclude each other in any order; a part is as its parent is
     * @throws IllegalArgumentException when the parent belongs to another owner, or is nested 1000 levels deep
     */
    public Resource(String name, Object owner, @Nullable Resource parent, boolean unordered) {
        this(name, owner, parent, unordered, false);
    }

    Resource(String name, Object owner, @Nullable Resource parent, boolean unordered, boolean loan) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(owner, "owner");
        if (parent != null && parent.owner != owner) {
            throw new IllegalArgumentException("resource \"" + name + "\" cannot be a part of \"" + parent.name
                    + "\", which belongs to another session");
        }
        requireLevels(name, parent);
        this.name = name;
        this.owner = owner;
        this.parent = parent;
        this.unordered = parent == null ? unordered : parent.unordered;
        this.lent = loan || (parent != null && parent.lent);
        this.origin = parent == null ? null : parent.origin;
        this.plain = isPlainWith(origin);
    }

    private static void requireLevels(String name, @Nullable Resource parent) {
        int levels = 1;
        for (Resource above = parent; above != null; above = above.parent) {
            levels++;
        }
        if (levels > MOST_LEVELS) {
            throw new IllegalArgumentException("resource \"" + name + "\" would be at level " + levels
                    + " of its tree, which may have " + MOST_LEVELS
                    + ": let resources be parts of the same one, or make a separate one without a whole");
        }
    }

    private boolean isPlainWith(@Nullable Object its) {
        return !unordered && !lent && !(this instanceof Data) && its == null;
    }

    /** The name given at construction; that of a lent buffer has the number of its loan, too. */
    public String name() {
        return name;
    }

    /** The session that this resource belongs to. */
    public final Object owner() {
        return owner;
    }

    /** Returns the resource that this is a part of; null for the root of a tree. */
    public final @Nullable Resource parent() {
        return parent;
    }

    /**
     * True if there is a value, of this resource or of one that it is a part of: a value that is to be written may be
     * missing.
     */
    public boolean hasValue() {
        return parent != null && parent.hasValue();
    }

    /** Returns true if conflicting accesses exclude each other without an order. */
    public final boolean isUnordered() {
        return unordered;
    }

    /**
     * True if tasks access it without taking or moving anything before they run, without a look at where it was made,
     * and without telling of it.
     */
    public final boolean isPlain() {
        return plain;
    }

    /** Returns true if this is a part of {@code other}, or a part of a part. */
    public final boolean isWithin(Resource other) {
        for (Resource above = parent; above != null; above = above.parent) {
            if (above == other) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if this is {@code other}, a part of it, or a whole that {@code other} is a part of. */
    public final boolean isRelatedTo(Resource other) {
        return this == other || isWithin(other) || other.isWithin(this);
    }

    /** The root of the tree of resources that this is in; itself when it is a part of none. */
    public final Resource root() {
        Resource root = this;
        for (Resource above = parent; above != null; above = above.parent) {
            root = above;
        }
        return root;
    }

    /** The loan that this stands for; null if it stands for none. */
    Handle.@Nullable Loan ownLoan() {
        return null;
    }

    /**
     * For the engine: something declares an access; the loans that this, or a resource that it is a part of, stands for
     * are notified.
     */
    public final void declared() {
        for (Resource whole = this; whole != null && whole.lent; whole = whole.parent) {
            Handle.Loan loan = whole.ownLoan();
            if (loan != null) {
                loan.declared();
            }
        }
    }

    /** For the engine: its note of the task inside which this was made, or null. */
    public final @Nullable Object origin() {
        return origin;
    }

    /** For the engine: this was made inside a task, or that does not matter any more. */
    public final void origin(@Nullable Object its) {
        this.origin = its;
        this.plain = isPlainWith(its);
    }

    /** For the engine: the tracker, or null before the first access. */
    public final @Nullable Object tracker() {
        return tracker;
    }

    /** For the engine: sets the tracker. */
    public final void tracker(Object its) {
        this.tracker = its;
    }

    /** For lists of accesses: the last note of a single access, or null. Any thread. */
    public final @Nullable Object lastAccess() {
        return lastAccess;
    }

    /** For lists of accesses: notes the last single access to this. Any thread. */
    public final void lastAccess(Object its) {
        this.lastAccess = Objects.requireNonNull(its, "its");
    }

    /** For the engine: how many dimensions the areas of earlier accesses have, 0 when there were none. */
    public final int dimensions() {
        return Math.abs(areas);
    }

    /** For the engine: whether the areas of earlier accesses have real coordinates. */
    public final boolean hasRealAreas() {
        return areas < 0;
    }

    /** For the engine: sets the kind of its areas. */
    public final void areas(int dimensions, boolean real) {
        this.areas = real ? -dimensions : dimensions;
    }

    @Override
    public String toString() {
        return name();
    }
}
