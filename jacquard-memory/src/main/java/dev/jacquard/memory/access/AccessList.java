package dev.jacquard.memory.access;

import dev.jacquard.memory.data.Resource;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The accesses that a task declares: resources, each with how it is accessed, in the order of the declaration. A
 * resource may be there several times.
 *
 * <p>Immutable. Users' accesses answer some of the questions, and may throw.
 */
public final class AccessList {
    private static final AccessList NONE = new AccessList(new @Nullable Object[0]);

    /** Resource and access in turn. */
    private final @Nullable Object[] pairs;

    private AccessList(@Nullable Object[] pairs) {
        this.pairs = pairs;
    }

    /** The list without an access. */
    public static AccessList of() {
        return NONE;
    }

    /**
     * The list of one access. From the second time on that a resource is accessed in the same {@link Mode}, and no
     * other between, this is the same object: each live task is an array smaller, and resources that are accessed once
     * keep nothing.
     */
    public static AccessList of(Resource resource, Access access) {
        Objects.requireNonNull(resource, "resource");
        Objects.requireNonNull(access, "access");
        Object last = resource.lastAccess();
        if (last instanceof AccessList same && same.pairs[1] == access) {
            return same;
        }
        AccessList list = new AccessList(new @Nullable Object[] {resource, access});
        if (access instanceof Mode) { // others are made for one task, often
            resource.lastAccess(last == access ? list : access);
        }
        return list;
    }

    /** The list of two accesses. */
    public static AccessList of(Resource resource, Access access, Resource other, Access itsAccess) {
        return builder().add(resource, access).add(other, itsAccess).build();
    }

    /**
     * For the engine: the list of an array that is not copied, so that a submitted task need not keep more than that.
     *
     * @param pairs resource and access in turn; never changed from now on
     */
    public static AccessList wrap(@Nullable Object[] pairs) {
        return new AccessList(pairs);
    }

    /** For the engine: the argument of {@link #wrap}, or the like; not to be changed. */
    public @Nullable Object[] unwrap() {
        return pairs;
    }

    /** The accesses of all {@code lists}, each once, in the order in which they come first. */
    public static AccessList union(Iterable<AccessList> lists) {
        Set<Entry> entries = new LinkedHashSet<>();
        for (AccessList list : lists) {
            list.each((resource, access) -> entries.add(new Entry(resource, access)));
        }
        Builder builder = builder();
        entries.forEach(entry -> builder.add(entry.resource, entry.access));
        return builder.build();
    }

    /** A builder of a list. */
    public static Builder builder() {
        return new Builder(2);
    }

    private record Entry(Resource resource, Access access) {}

    /** Collects the accesses of a list. Confined to one thread. */
    public static final class Builder {
        private final int expected;
        private int size;
        /** The first access. It is in no array until there is a second one. */
        private @Nullable Resource firstResource;

        private @Nullable Access firstAccess;
        /** All accesses, if there are several. */
        private @Nullable Object[] pairs = NONE.pairs;

        /**
         * Creates a builder of a list of {@code accesses} accesses, which is not copied when it has exactly as many.
         * More or fewer can be added.
         */
        public Builder(int accesses) {
            expected = accesses;
        }

        /** Adds an access. */
        public Builder add(Resource resource, Access access) {
            Objects.requireNonNull(resource, "resource");
            Objects.requireNonNull(access, "access");
            if (size == 0) {
                firstResource = resource;
                firstAccess = access;
            } else {
                append(resource, access);
            }
            size++;
            return this;
        }

        private void append(Resource resource, Access access) {
            int length = 2 * size;
            if (size == 1) {
                pairs = new @Nullable Object[2 * Math.max(2, expected)];
                pairs[0] = firstResource;
                pairs[1] = firstAccess;
            } else if (length == pairs.length) {
                pairs = Arrays.copyOf(pairs, 2 * length);
            }
            pairs[length] = resource;
            pairs[length + 1] = access;
        }

        /**
         * Returns true if {@code access} reads data that one of the accesses so far overwrites: the same resource, a
         * part of it, or a whole that it is a part of.
         */
        public boolean isOverwritten(Resource resource, Access access) {
            for (int i = 0; i < size; i++) {
                Resource its = (Resource) Objects.requireNonNull(size == 1 ? firstResource : pairs[2 * i]);
                Access earlier = (Access) Objects.requireNonNull(size == 1 ? firstAccess : pairs[2 * i + 1]);
                if (its.isRelatedTo(resource) && access.reads() && earlier.writes() && !earlier.reads()) {
                    return true;
                }
            }
            return false;
        }

        /** The number of accesses so far. */
        public int size() {
            return size;
        }

        /** The list of the accesses added so far. */
        public AccessList build() {
            if (size == 0) {
                return NONE;
            }
            if (size == 1) {
                return of(Objects.requireNonNull(firstResource), Objects.requireNonNull(firstAccess));
            }
            // A full array is shared: the next access moves this builder to another one.
            int length = 2 * size;
            return new AccessList(length == pairs.length ? pairs : Arrays.copyOf(pairs, length));
        }
    }

    // ---- the accesses

    /** The number of accesses. */
    public int size() {
        return pairs.length >> 1;
    }

    /** Returns true if there is none. */
    public boolean isEmpty() {
        return pairs.length == 0;
    }

    /** The resource of access number {@code index}, from 0 on. */
    public Resource resource(int index) {
        return (Resource) Objects.requireNonNull(pairs[2 * index]);
    }

    /** The access number {@code index}, from 0 on. */
    public Access access(int index) {
        return (Access) Objects.requireNonNull(pairs[2 * index + 1]);
    }

    /** Shows all accesses to {@code visitor}, in their order. */
    public void each(BiConsumer<? super Resource, ? super Access> visitor) {
        for (int i = 0; i < size(); i++) {
            visitor.accept(resource(i), access(i));
        }
    }

    /** The same list with {@code access} in the place of access number {@code index}. */
    public AccessList with(int index, Access access) {
        @Nullable Object[] changed = pairs.clone();
        changed[2 * index + 1] = access;
        return new AccessList(changed);
    }

    /** The same accesses, readers before accesses that only write: in the order in which a task has them. */
    public AccessList readsFirst() {
        boolean inOrder = true;
        for (int i = 1; i < size(); i++) {
            inOrder &= access(i - 1).reads() || !access(i).reads();
        }
        if (inOrder) {
            return this;
        }
        Builder sorted = new Builder(size());
        for (boolean reads : new boolean[] {true, false}) {
            each((resource, access) -> {
                if (access.reads() == reads) {
                    sorted.add(resource, access);
                }
            });
        }
        return sorted.build();
    }

    /** The accesses to unordered resources. */
    public AccessList unordered() {
        Builder found = builder();
        each((resource, access) -> {
            if (resource.isUnordered()) {
                found.add(resource, access);
            }
        });
        return found.size() == size() ? this : found.build();
    }

    // ---- questions about one resource

    /** Returns true if {@code resource}, or a whole that it is a part of, is accessed. */
    public boolean has(Resource resource) {
        for (Resource whole = resource; whole != null; whole = whole.parent()) {
            for (int i = 0; i < pairs.length; i += 2) {
                if (pairs[i] == whole) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns true if {@code resource} itself has this very access. */
    public boolean has(Resource resource, Access access) {
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i] == resource && pairs[i + 1] == access) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if {@code resource}, a whole that it is a part of, or a part of it is accessed. */
    public boolean touches(Resource resource) {
        for (int i = 0; i < size(); i++) {
            if (resource(i).isRelatedTo(resource)) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if one of these accesses allows {@code access} to {@code resource}. */
    public boolean covers(Resource resource, Access access) {
        for (int i = 0; i < size(); i++) {
            Resource its = resource(i);
            if (its == resource
                    ? access(i).covers(access)
                    : resource.isWithin(its) && access(i).covers(access.whole())) {
                return true;
            }
        }
        return false;
    }

    // ---- questions about two tasks

    /**
     * Two accesses that conflict.
     *
     * @param resource of the later access
     * @param access the later one
     * @param earlier the earlier one, to the same resource, a part of it, or a whole that it is a part of
     */
    public record Conflict(Resource resource, Access access, Access earlier) {}

    /** Returns true if a task with these accesses has to come after an earlier one with {@code earlier} accesses. */
    public boolean conflictsWith(AccessList earlier) {
        return find(earlier, false) >= 0;
    }

    /** Returns true if tasks with these accesses and with {@code other} ones exclude each other in no order. */
    public boolean excludes(AccessList other) {
        return find(other, true) >= 0;
    }

    /** Returns true if {@link #conflictsWith} or {@link #excludes} is. */
    public boolean waitsFor(AccessList earlier) {
        return conflictsWith(earlier) || excludes(earlier);
    }

    /** The first conflict for which {@link #waitsFor} is true, an ordered one if there is one; null for none. */
    public @Nullable Conflict conflict(AccessList earlier) {
        int ordered = find(earlier, false);
        int found = ordered < 0 ? find(earlier, true) : ordered;
        if (found < 0) {
            return null;
        }
        int mine = found / earlier.size();
        return new Conflict(resource(mine), access(mine), earlier.access(found % earlier.size()));
    }

    /** The numbers of the first two accesses, to resources of that sort, that conflict; negative for none. */
    private int find(AccessList earlier, boolean unordered) {
        for (int i = 0; i < size(); i++) {
            Resource mine = resource(i);
            for (int j = 0; mine.isUnordered() == unordered && j < earlier.size(); j++) {
                if (conflict(mine, access(i), earlier.resource(j), earlier.access(j))) {
                    return i * earlier.size() + j;
                }
            }
        }
        return -1;
    }

    private static boolean conflict(Resource resource, Access access, Resource other, Access earlier) {
        return resource == other
                ? access.conflictsWith(earlier)
                : resource.isRelatedTo(other) && access.whole().conflictsWith(earlier.whole());
    }

    /** Returns true if a task with these accesses reads the output of an earlier one with {@code earlier} accesses. */
    public boolean reads(AccessList earlier) {
        for (int i = 0; i < size(); i++) {
            Resource mine = resource(i);
            for (int j = 0; !mine.isUnordered() && j < earlier.size(); j++) {
                Access written = earlier.access(j);
                if (access(i).reads() && written.writes() && conflict(mine, access(i), earlier.resource(j), written)) {
                    return true;
                }
            }
        }
        return false;
    }

    // ---- as a value

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AccessList its && Arrays.equals(pairs, its.pairs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(pairs);
    }

    /** Names the accesses, for people. Never throws. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        try {
            each((resource, access) -> text.append(text.isEmpty() ? "" : ", ")
                    .append(access)
                    .append(' ')
                    .append(resource));
        } catch (Throwable e) { // of an access that users wrote
            text.append("[an access whose toString failed: ").append(e).append(']');
        }
        return text.toString();
    }
}
