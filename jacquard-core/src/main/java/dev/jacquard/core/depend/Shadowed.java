package dev.jacquard.core.depend;

import dev.jacquard.core.access.Access;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An access that writes, and that later tasks are to overwrite which may give that up before they start. When its task fails, it
 * depends on them whether what it was to write stays poisoned.
 *
 * <p>One that covers the access drops it from the tracker's lists, so that the order of tasks is as ever, and it becomes a shadow
 * there instead. Shadows order nothing: they note who would have met the entry. Those behind meet the shadow as they would have met the
 * entry: who reads it is noted as a reader under the last that covers it; who covers it, and is sure to write, drops it for good.
 * Those that cover it decide in the order of their submissions, each before it is ready, since each conflicts with those before
 * it, and so waits for them:
 *
 * <pre>
 *  does it overwrite after all?
 *    yes: {@link #clear}     nothing is left for those behind
 *    no:  {@link #uncover}   who read it under this one has met it; behind the last it is in the lists again, unless dropped for good
 * </pre>
 *
 * One that conflicts with the access and does not cover it leaves the entry where it is, and keeps one of these for itself alone: what
 * it reads in the end may be that.
 *
 * <p>Threads: guarded like the tracker.
 *
 * @param <T> what has the accesses; tasks
 */
public final class Shadowed<T> {
    private final AccessTracker<T> tracker;
    private final T task;
    /** As it is now: the task may give up a part of it. */
    private Access access;
    /** Those that cover it and have not decided yet, in the order of their submissions. */
    private final List<Cover<T>> covers = new ArrayList<>(1);

    private boolean cleared;

    private record Cover<T>(T by, List<Reader<T>> readers) {}

    private record Reader<T>(T task, Access access) {}

    Shadowed(AccessTracker<T> tracker, T task, Access access) {
        this.tracker = tracker;
        this.task = task;
        this.access = access;
    }

    /** Whose access it is. */
    public T task() {
        return task;
    }

    /** What it is. */
    public Access access() {
        return access;
    }

    /** Where it is tracked. */
    public AccessTracker<T> tracker() {
        return tracker;
    }

    /** Its task has given up what is more than {@code to}. */
    public void demote(Access to) {
        access = to;
    }

    /** Whether one of those that covered it has overwritten it, so that it matters to nobody. */
    public boolean isCleared() {
        return cleared;
    }

    /** Whether {@code other}, to what {@code of} tracks, meets it. */
    public boolean isMetBy(AccessTracker<T> of, Access other) {
        if (of == tracker) {
            return other.conflictsWith(access);
        }
        boolean related = tracker.isWithin(of) || of.isWithin(tracker);
        return related && other.whole().conflictsWith(access.whole());
    }

    /** Whether {@code other}, to what {@code of} tracks, writes all of it and reads nothing of it. */
    public boolean isOverwrittenBy(AccessTracker<T> of, Access other) {
        boolean reaches = of == tracker || (tracker.isWithin(of) && other.equals(other.whole()));
        return reaches && other.writes() && !other.reads() && other.covers(access);
    }

    /** {@code by} has decided, and lets nobody behind meet this: it overwrites it, or leaves poison of its own there. */
    public void clear(T by) {
        if (cover(by) != null) {
            cleared = true;
            tracker.dropShadow(this);
        }
    }

    /** {@code by} has decided, and does not overwrite it: tells who has read it under this one, and still does. */
    public List<T> uncover(T by, Dependents<T> dependents) {
        Cover<T> its = cover(by);
        if (its == null) {
            return List.of();
        }
        covers.remove(its);
        if (covers.isEmpty() && tracker.dropShadow(this)) {
            tracker.restore(task, access, dependents);
        }
        return its.readers.stream()
                .filter(reader -> reader.access.conflictsWith(access)) // with what is left of it
                .map(Reader::task)
                .toList();
    }

    private @Nullable Cover<T> cover(T by) {
        for (Cover<T> cover : covers) {
            if (cover.by == by) {
                return cover;
            }
        }
        return null;
    }

    /** {@code by} covers it too. */
    void coverBy(T by) {
        covers.add(new Cover<>(by, new ArrayList<>(0)));
    }

    boolean isCoveredBy(T by) {
        return cover(by) != null;
    }

    /** {@code reader} would have met it behind the last that covers it. */
    void readBy(T reader, Access its) {
        covers.getLast().readers.add(new Reader<>(reader, its));
    }
}
