package dev.jacquard.memory.depend;

import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The holders of unordered resources, and the tasks that wait for them. Conflicting accesses to an unordered resource
 * exclude each other in any order: a task takes all that it needs at once when it is about to start, or nothing and
 * waits; a task holds until it is over, whatever thread runs it. All or nothing leaves no room for a deadlock.
 *
 * <p>Claims with equal accesses are of one {@link ClaimGroup}, which conflicts with another as a whole. A group whose
 * first waiter is blocked waits as a whole, for one group that is held: the end of the last holder of that group looks
 * at the groups that wait for it, and at no other waiter.
 *
 * <pre>
 *  tree of resources --> groups held --> holders
 *                        group held  --> groups that wait for it --> waiters, by rank, then by age
 *                    --> waiters by age, of which the oldest is overtaken a few times only
 * </pre>
 *
 * <p>Of several waiters the one with the least rank comes first, of equal rank the oldest. The oldest of a tree that
 * was overtaken a few times is not overtaken any more by waiters that conflict with it, so none starves.
 *
 * <p>A holder that fails poisons the resources that it was to write, where they have a value: a later reader is
 * notified, until a holder that overwrites the resource ends well, or gives it up. A resource without a value is a
 * lock, which nothing poisons.
 *
 * <p>Threads: any; guarded by its own monitor, under which only access methods run, which are pure.
 *
 * @param <T> the type of holders, which are tasks
 * @param <P> the type of explanations of poison
 */
public final class Exclusions<T, P> {
    /** The number of times that the oldest waiter is overtaken before it stands in the way of others. */
    private static final int PATIENCE = 4;
    /** The number of blockers that a waiter is shown with. */
    private static final int MOST_SHOWN = 8;

    /** The groups that claims with equal accesses may join. Keys are asked for {@code hashCode} and {@code equals}. */
    private final Map<AccessList, ClaimGroup<T, P>> groups = new HashMap<>();
    /** By root. */
    private final IdentityHashMap<Resource, Tree<T, P>> trees = new IdentityHashMap<>();

    private final Map<T, Claim<T, P>> holders = new HashMap<>();
    private final Poisons<P> poisons = new Poisons<>();
    /** The number of claims so far. */
    private long claims;

    /** Creates exclusions of which none is held. */
    public Exclusions() {}

    /**
     * A task that is to learn why it should not do its work, under the monitor.
     *
     * @param <P> the type of explanations of poison
     */
    public interface Told<P> {
        /** A value that the task is to read is poisoned, as {@code why} explains. */
        void spoiled(P why);

        /** A user's access threw {@code error} when it was asked for a conflict, and was taken to have one. */
        void broken(Throwable error);
    }

    /**
     * Takes everything that {@code task} needs, or lets it wait for its turn.
     *
     * @param rank of several tasks that wait the one with the least comes first
     * @param accesses its accesses, of which only accesses to unordered resources count
     * @param told called before the task holds
     * @return true if the task holds everything now; else a later {@link #release} returns it
     */
    public synchronized boolean take(T task, long rank, AccessList accesses, Told<P> told) {
        ClaimGroup<T, P> group = group(accesses);
        Claim<T, P> claim = new Claim<>(task, rank, claims++, group, told);
        ClaimGroup<T, P> blocker = group.waiters.isEmpty() ? blocker(claim) : group.blocker;
        if (blocker == null) {
            hold(claim);
            return true;
        }
        group.waiters.add(claim);
        group.trees.forEach(tree -> tree.waiters.add(claim));
        group.waitFor(blocker);
        return false;
    }

    /**
     * {@code task} is over.
     *
     * @param failure the explanation for tasks that read resources that it was to write; null when it ended well
     * @return the tasks that waited and hold now
     */
    public synchronized List<T> release(T task, @Nullable P failure) {
        Claim<T, P> claim = holders.remove(task);
        if (claim == null) {
            return List.of();
        }
        if (failure == null) {
            poisons.writtenAnew(claim.group.accesses, AccessList.of(), claim.poisons);
        } else {
            poisons.add(claim.group.accesses, failure);
        }
        return leave(claim, claim.group);
    }

    /**
     * {@code task} gives up some of its rights; its accesses have been changed already.
     *
     * @return the tasks that waited and hold now
     */
    public synchronized List<T> shrink(T task, AccessList accesses) {
        Claim<T, P> claim = holders.get(task);
        if (claim == null) {
            return List.of();
        }
        ClaimGroup<T, P> before = claim.group;
        int place = claim.place;
        ClaimGroup<T, P> now = group(accesses);
        if (now == before) {
            return List.of();
        }
        poisons.writtenAnew(before.accesses, now.accesses, claim.poisons);
        claim.group = now;
        now.join(claim);
        int added = claim.place;
        claim.place = place;
        List<T> granted = leave(claim, before);
        claim.place = added;
        return granted;
    }

    /**
     * A task that waits, and one that is in its way: a holder, or one that waits longer and is not overtaken any more.
     * For diagnosis.
     *
     * @param <T> the type of waiters and holders
     * @param waiter the task that waits
     * @param blocker the task in its way
     * @param resource a resource that both need
     */
    public record Wait<T>(T waiter, T blocker, Resource resource) {}

    /** All waits, at most a few for each task that waits. For diagnosis. */
    public synchronized List<Wait<T>> waits() {
        Set<ClaimGroup<T, P>> all = new LinkedHashSet<>(groups.values());
        trees.values().forEach(tree -> tree.waiters.forEach(claim -> all.add(claim.group))); // unlisted ones too
        List<Wait<T>> waits = new ArrayList<>();
        for (ClaimGroup<T, P> group : all) {
            for (Claim<T, P> waiter : group.waiters) {
                int before = waits.size();
                for (Tree<T, P> tree : group.trees) {
                    tree.held.forEach(other -> other.holders.stream()
                            .limit(MOST_SHOWN - Math.min(MOST_SHOWN, waits.size() - before))
                            .forEach(holder -> addWait(waiter, holder, waits)));
                    Claim<T, P> oldest = tree.oldest();
                    if (oldest != null && oldest.isOlder(waiter) && oldest.overtaken >= PATIENCE) {
                        addWait(waiter, oldest, waits);
                    }
                }
            }
        }
        return waits;
    }

    private static <T, P> void addWait(Claim<T, P> waiter, Claim<T, P> blocker, List<Wait<T>> waits) {
        Resource contested = waiter.group.contested(blocker.group);
        if (contested != null) {
            waits.add(new Wait<>(waiter.task, blocker.task, contested));
        }
    }

    /** Nothing is held or waited for, nor will be: forgets failures. */
    public synchronized void forget() {
        poisons.clear();
    }

    /** Returns the number of resources that are held or waited for; for tests. */
    synchronized int size() {
        return groups.size() + trees.size();
    }

    /** Returns the number of poisoned accesses; for tests. */
    synchronized int poisoned() {
        return poisons.size();
    }

    // ---- groups

    private ClaimGroup<T, P> group(AccessList accesses) {
        AccessList unordered = accesses.unordered();
        Throwable broken = null;
        try {
            ClaimGroup<T, P> known = groups.get(unordered);
            if (known != null) {
                return known;
            }
        } catch (RuntimeException | LinkageError | AssertionError e) { // of a user's hashCode or equals
            broken = e;
        }
        List<Tree<T, P>> itsTrees = new ArrayList<>(1);
        for (int i = 0; i < unordered.size(); i++) {
            Tree<T, P> tree = trees.computeIfAbsent(unordered.resource(i).root(), Tree::new);
            if (!itsTrees.contains(tree)) {
                itsTrees.add(tree);
                tree.groups++;
            }
        }
        ClaimGroup<T, P> made = new ClaimGroup<>(unordered, itsTrees);
        made.broken = broken;
        if (broken == null) {
            list(made);
        }
        return made;
    }

    /** Lets claims with equal accesses find the group, unless the accesses cannot tell which are equal. */
    private void list(ClaimGroup<T, P> group) {
        try {
            groups.put(group.accesses, group);
            group.listed = true;
        } catch (RuntimeException | LinkageError | AssertionError e) { // before it has changed anything
            group.broken = e;
        }
    }

    private void unlist(ClaimGroup<T, P> group) {
        group.listed = false;
        try {
            if (groups.remove(group.accesses, group)) {
                return;
            }
        } catch (RuntimeException | LinkageError | AssertionError e) {
            // which it did not throw before: the group is found by its identity
        }
        groups.values().remove(group);
    }

    /** Forgets the group unless it is held or waited for. */
    private void tidy(ClaimGroup<T, P> group) {
        if (group.holders.isEmpty() && group.waiters.isEmpty() && group.blocked.isEmpty() && !group.gone) {
            group.gone = true;
            if (group.listed) {
                unlist(group);
            }
            for (Tree<T, P> tree : group.trees) {
                if (--tree.groups == 0) {
                    trees.remove(tree.root);
                }
            }
        }
    }

    // ---- holding and waiting

    private void hold(Claim<T, P> claim) {
        holders.put(claim.task, claim);
        claim.group.join(claim);
        for (Tree<T, P> tree : claim.group.trees) {
            Claim<T, P> oldest = tree.oldest();
            if (oldest != null && oldest.isOlder(claim) && claim.group.conflictsWith(oldest.group)) {
                oldest.overtaken++;
            }
        }
        claim.poisons = poisons.last();
        poisons.tell(claim.group.accesses, claim.told::spoiled);
        Throwable broken = claim.group.broken;
        if (broken != null) {
            claim.told.broken(broken);
        }
    }

    /** {@code claim} does not hold {@code group} any more. */
    private List<T> leave(Claim<T, P> claim, ClaimGroup<T, P> group) {
        List<T> granted = List.of();
        group.leave(claim);
        if (group.holders.isEmpty() && !group.blocked.isEmpty()) {
            granted = new ArrayList<>();
            List<ClaimGroup<T, P>> free = new ArrayList<>(group.blocked);
            group.blocked.clear();
            free.forEach(each -> each.blocker = null);
            if (free.size() > 1) {
                free.sort(Comparator.comparing(Exclusions::next));
            }
            for (ClaimGroup<T, P> each : free) {
                serve(each, granted);
                tidy(each);
            }
        }
        tidy(group);
        return granted;
    }

    /** Lets the waiters of {@code group} hold that can. */
    private void serve(ClaimGroup<T, P> group, List<T> granted) {
        while (!group.waiters.isEmpty()) {
            Claim<T, P> claim = next(group);
            ClaimGroup<T, P> blocker = blocker(claim);
            if (blocker != null) {
                group.waitFor(blocker);
                return;
            }
            group.waiters.remove(claim);
            group.trees.forEach(tree -> tree.waiters.remove(claim));
            hold(claim);
            granted.add(claim.task);
        }
    }

    /** The next waiter of {@code group}. */
    private static <T, P> Claim<T, P> next(ClaimGroup<T, P> group) {
        for (Tree<T, P> tree : group.trees) {
            Claim<T, P> oldest = tree.oldest();
            if (oldest != null && oldest.group == group && oldest.overtaken >= PATIENCE) {
                return oldest;
            }
        }
        return group.waiters.getFirst();
    }

    /**
     * A group that is held, or that waits and is not overtaken any more, for which {@code claim} has to wait; null when
     * there is none.
     */
    private static <T, P> @Nullable ClaimGroup<T, P> blocker(Claim<T, P> claim) {
        for (Tree<T, P> tree : claim.group.trees) {
            for (ClaimGroup<T, P> held : tree.held) {
                if (claim.group.conflictsWith(held)) {
                    return held;
                }
            }
        }
        for (Tree<T, P> tree : claim.group.trees) {
            Claim<T, P> oldest = tree.oldest();
            if (oldest != null
                    && oldest.overtaken >= PATIENCE
                    && oldest.isOlder(claim)
                    && claim.group.conflictsWith(oldest.group)) {
                return oldest.group;
            }
        }
        return null;
    }
}
