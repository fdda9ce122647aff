package dev.jacquard.core.depend;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.data.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The values of unordered resources that failed holders did not write. Guarded by the monitor of its
 * {@link Exclusions}.
 */
final class Poisons<P> {
    /** One access that was to write, and why it did not. */
    private record Poison<P>(Resource resource, Access access, P why) {
        @Nullable
        Object[] accesses() {
            return new @Nullable Object[] {resource, access};
        }

        /** True if every access that {@code known} poisons is also poisoned by this one; keeping both is redundant. */
        boolean says(Poison<P> known) {
            return known.resource == resource
                    && (known.access == access || (access.conflictsWith(known.access) && access.covers(known.access)));
        }

        /** True if a claim with these accesses writes this anew. */
        boolean isOverwrittenBy(@Nullable Object[] accesses) {
            for (int i = 0; i < accesses.length; i += 2) {
                Resource mine = Meeting.resource(accesses, i);
                Access how = Meeting.access(accesses, i);
                if (mine == resource
                        ? how.conflictsWith(access) && how.covers(access)
                        : resource.isWithin(mine)
                                && how.whole().equals(how)
                                && how.conflictsWith(access.whole())
                                && how.covers(access.whole())) {
                    return true;
                }
            }
            return false;
        }
    }

    /** By the roots of the resources: accesses to those of other trees cannot meet. */
    private final Map<Resource, List<Poison<P>>> byRoot = new HashMap<>();

    /** A claim with these accesses failed. A resource without a value is a lock, and has nothing to poison. */
    void add(@Nullable Object[] accesses, P why) {
        for (int i = 0; i < accesses.length; i += 2) {
            Poison<P> one = new Poison<>(Meeting.resource(accesses, i), Meeting.access(accesses, i), why);
            if (one.resource.hasValue() && one.access.writes()) {
                List<Poison<P>> all = byRoot.computeIfAbsent(Meeting.root(accesses, i), root -> new ArrayList<>(1));
                all.removeIf(one::says); // else each of those that it cancels would add to it, without end
                all.add(one);
            }
        }
    }

    void clear() {
        byRoot.clear();
    }

    /**
     * A claim with these accesses holds now: tells {@code spoiled} of what it is to read, or forgets what it writes
     * anew.
     */
    void tell(@Nullable Object[] accesses, Consumer<P> spoiled) {
        for (int i = 0; i < accesses.length && !byRoot.isEmpty(); i += 2) {
            Resource root = Meeting.root(accesses, i);
            List<Poison<P>> all = byRoot.get(root);
            P why = all == null ? null : take(all, accesses);
            if (why != null) {
                spoiled.accept(why);
                return;
            }
            if (all != null && all.isEmpty()) {
                byRoot.remove(root);
            }
        }
    }

    /** Returns why something of that tree is spoiled that {@code accesses} read, or forgets what they write anew. */
    private @Nullable P take(List<Poison<P>> all, @Nullable Object[] accesses) {
        for (int i = all.size() - 1; i >= 0; i--) {
            Poison<P> poison = all.get(i);
            if (Meeting.meeting(
                            accesses, poison.accesses(), (mine, theirs) -> mine.reads() && mine.conflictsWith(theirs))
                    != null) {
                return poison.why;
            }
            if (poison.isOverwrittenBy(accesses)) {
                all.remove(i);
            }
        }
        return null;
    }
}
