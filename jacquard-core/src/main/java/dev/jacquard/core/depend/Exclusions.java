package dev.jacquard.core.depend;

import dev.jacquard.core.access.Access;
import dev.jacquard.core.data.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who holds which part of which unordered resource, and who waits. Conflicting accesses to an unordered resource exclude
 * each other in any order: a task takes all that it needs at once when it is about to start, or nothing and waits; a task
 * holds until it is over, whatever thread runs it. All or nothing leaves no room for a deadlock. A task that others have
 * overtaken a few times is not overtaken any more by those that conflict with it, so none starves.
 *
 * <p>Who fails while it holds poisons what it was to write, like everywhere: who reads that later is told.
 *
 * <p>Threads: any; guarded by its own monitor, under which only access methods run, which are pure.
 *
 * @param <T> what holds; tasks
 * @param <P> what poison is told by
 */
public final class Exclusions<T, P> {
    /** How often a waiter is overtaken before it stands in the way of others. */
    private static final int PATIENCE = 4;

    private final List<Claim<T, P>> holders = new ArrayList<>();
    private final List<Claim<T, P>> waiters = new ArrayList<>();
    /** What failed holders were to write. */
    private final List<Claim<T, P>> poisoned = new ArrayList<>();

    /** Nobody holds anything. */
    public Exclusions() {}

    /**
     * Takes everything that {@code task} needs, or lets it wait for its turn.
     *
     * @param accesses resource and access in turn, of which those to unordered resources count; not changed by others meanwhile
     * @param spoiled told, before this returns, what {@code task} is to read of what a failed task did not write
     * @return whether the task holds everything now; else it is told of by a later {@link #release}
     */
    public synchronized boolean take(T task, @Nullable Object[] accesses, Consumer<P> spoiled) {
        Claim<T, P> claim = new Claim<>(task, accesses);
        if (isFree(claim, waiters.size())) {
            hold(claim, spoiled);
            return true;
        }
        claim.spoiled = spoiled;
        waiters.add(claim);
        return false;
    }

    /**
     * {@code task} is over.
     *
     * @param failure what tells those who read what it was to write; null when it ended well
     * @return those who hold now what they waited for, the longest waiting first
     */
    public synchronized List<T> release(T task, @Nullable P failure) {
        Claim<T, P> claim = remove(task);
        if (claim != null && failure != null) {
            claim.poison(failure, poisoned);
        }
        return claim == null ? List.of() : grant();
    }

    /**
     * {@code task} gives up some of what it holds; its accesses have been changed already.
     *
     * @return those who hold now what they waited for
     */
    public synchronized List<T> shrink(T task, @Nullable Object[] accesses) {
        for (Claim<T, P> holder : holders) {
            if (holder.task == task) {
                holder.accesses = accesses;
                return grant();
            }
        }
        return List.of();
    }

    /** Those who wait for {@code task}, for diagnosis. */
    public synchronized List<T> waitingTasks() {
        return waiters.stream().map(claim -> claim.task).toList();
    }

    /**
     * Who waits, and for whom: a holder, or one that waits longer and is not overtaken any more. For diagnosis.
     *
     * @param <T> what waits and holds
     * @param waiter who waits
     * @param blocker who is in the way
     * @param resource a resource that both need
     */
    public record Wait<T>(T waiter, T blocker, Resource resource) {}

    /** Who waits for whom, one entry for each two. For diagnosis. */
    public synchronized List<Wait<T>> waits() {
        List<Wait<T>> waits = new ArrayList<>();
        for (int i = 0; i < waiters.size(); i++) {
            Claim<T, P> waiter = waiters.get(i);
            holders.forEach(holder -> addWait(waiter, holder, waits));
            for (Claim<T, P> earlier : waiters.subList(0, i)) {
                if (earlier.overtaken >= PATIENCE) {
                    addWait(waiter, earlier, waits);
                }
            }
        }
        return waits;
    }

    private static <T, P> void addWait(Claim<T, P> waiter, Claim<T, P> blocker, List<Wait<T>> waits) {
        Resource resource = waiter.contested(blocker);
        if (resource != null) {
            waits.add(new Wait<>(waiter.task, blocker.task, resource));
        }
    }

    private List<T> grant() {
        List<T> granted = new ArrayList<>();
        for (int i = 0; i < waiters.size(); ) {
            Claim<T, P> waiter = waiters.get(i);
            if (isFree(waiter, i)) {
                waiters.remove(i);
                hold(waiter, waiter.spoiled);
                granted.add(waiter.task);
                waiters.subList(0, i).forEach(overtaken -> overtaken.overtaken++);
            } else {
                i++;
            }
        }
        return granted;
    }

    /** Whether nobody holds what {@code claim} needs, nor waits for it in vain among the first {@code before} waiters. */
    private boolean isFree(Claim<T, P> claim, int before) {
        for (Claim<T, P> holder : holders) {
            if (claim.conflictsWith(holder)) {
                return false;
            }
        }
        for (Claim<T, P> waiter : waiters.subList(0, before)) {
            if (waiter.overtaken >= PATIENCE && claim.conflictsWith(waiter)) {
                return false;
            }
        }
        return true;
    }

    private void hold(Claim<T, P> claim, Consumer<P> spoiled) {
        holders.add(claim);
        for (int i = poisoned.size() - 1; i >= 0; i--) {
            Claim<T, P> failed = poisoned.get(i);
            if (claim.reads(failed) && failed.poison != null) {
                spoiled.accept(failed.poison);
                return;
            }
            if (claim.overwrites(failed)) {
                poisoned.remove(i);
            }
        }
    }

    private @Nullable Claim<T, P> remove(T task) {
        for (int i = 0; i < holders.size(); i++) {
            if (holders.get(i).task == task) {
                return holders.remove(i);
            }
        }
        return null;
    }

    /** What a task needs at once. Guarded by the monitor of its owner. */
    private static final class Claim<T, P> {
        final T task;

        @Nullable
        Object[] accesses;

        int overtaken;

        @Nullable
        P poison;

        Consumer<P> spoiled = none -> {};

        Claim(T task, @Nullable Object[] accesses) {
            this.task = task;
            this.accesses = accesses;
        }

        boolean conflictsWith(Claim<T, P> other) {
            return meets(other, (mine, theirs, related) -> related && mine.conflictsWith(theirs));
        }

        boolean reads(Claim<T, P> failed) {
            return meets(
                    failed,
                    (mine, theirs, related) ->
                            related && mine.reads() && theirs.writes() && mine.conflictsWith(theirs));
        }

        /** What this was to write, one by one, goes to {@code sink}: others may write one anew and leave the next. */
        void poison(P failure, List<Claim<T, P>> sink) {
            for (int i = 0; i < accesses.length; i += 2) {
                if (accesses[i] instanceof Resource resource
                        && accesses[i + 1] instanceof Access access
                        && resource.isUnordered()
                        && access.writes()) {
                    Claim<T, P> one = new Claim<>(task, new @Nullable Object[] {resource, access});
                    one.poison = failure;
                    sink.removeIf(one::says); // else each of those whom it cancels would add to it, without end
                    sink.add(one);
                }
            }
        }

        /** Whether who reads what {@code known} was to write, both of one access, reads what this was to write. */
        private boolean says(Claim<T, P> known) {
            return known.accesses[0] == accesses[0]
                    && known.accesses[1] instanceof Access theirs
                    && accesses[1] instanceof Access mine
                    && (mine == theirs || (mine.writes() && mine.conflictsWith(theirs) && mine.covers(theirs)));
        }

        /** Whether what {@code failed}, which has one access, was to write is written anew. */
        boolean overwrites(Claim<T, P> failed) {
            for (int i = 0; i < accesses.length; i += 2) {
                if (accesses[i] instanceof Resource mine
                        && accesses[i + 1] instanceof Access how
                        && failed.accesses[0] instanceof Resource theirs
                        && failed.accesses[1] instanceof Access known
                        && (mine == theirs
                                ? how.conflictsWith(known) && how.covers(known)
                                : theirs.isWithin(mine) && how.whole().equals(how) && overwrites(how, known))) {
                    return true;
                }
            }
            return false;
        }

        private static boolean overwrites(Access whole, Access part) {
            return whole.conflictsWith(part.whole()) && whole.covers(part.whole());
        }

        /** A resource of this one's for which it conflicts with {@code other}; null when it does not. */
        @Nullable
        Resource contested(Claim<T, P> other) {
            return meeting(other, (mine, theirs, related) -> related && mine.conflictsWith(theirs));
        }

        private boolean meets(Claim<T, P> other, Question question) {
            return meeting(other, question) != null;
        }

        private @Nullable Resource meeting(Claim<T, P> other, Question question) {
            for (int i = 0; i < accesses.length; i += 2) {
                Resource mine = (Resource) accesses[i];
                Access how = (Access) accesses[i + 1];
                if (mine == null || how == null || !mine.isUnordered()) {
                    continue;
                }
                for (int j = 0; j < other.accesses.length; j += 2) {
                    Resource theirs = (Resource) other.accesses[j];
                    Access known = (Access) other.accesses[j + 1];
                    if (theirs == null || known == null) {
                        continue;
                    }
                    boolean same = mine == theirs;
                    boolean related = same || mine.isWithin(theirs) || theirs.isWithin(mine);
                    if (question.ask(same ? how : how.whole(), same ? known : known.whole(), related)) {
                        return mine;
                    }
                }
            }
            return null;
        }

        private interface Question {
            boolean ask(Access mine, Access theirs, boolean related);
        }
    }
}
