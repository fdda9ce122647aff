package dev.jacquard.core.depend;

import dev.jacquard.core.access.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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
 * <p>A long row of tasks that all are to overwrite the same costs each of them one shadow, not one per task before it: who covers a
 * shadow, and drops the entry of the last that covers it, hides it behind that entry's own shadow, if both are to the same. Then
 * whoever meets, covers or drops the hidden one does so with that too. When those that cover the hidden one have decided, and left it, it
 * takes its place beside the other.
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

    /** Those that conflict with it and do not cover it, and are to overwrite too: what they want to know of. */
    private final List<Consumer<Shadowed<T>>> others = new ArrayList<>(0);

    private boolean cleared;

    /** The shadow that hides this one; null when this one is met itself. */
    private @Nullable Shadowed<T> front;

    private record Cover<T>(T by, List<Reader<T>> readers, Consumer<Shadowed<T>> visitor) {}

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
        if (covers.isEmpty() && front != null) {
            takePlaceBeside(front);
        } else if (covers.isEmpty() && tracker.dropShadow(this)) {
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

    /** {@code by} covers it too, and wants to know of it, and of others when it covers more. */
    void coverBy(T by, Consumer<Shadowed<T>> visitor) {
        covers.add(new Cover<>(by, new ArrayList<>(0), visitor));
        visitor.accept(this);
    }

    /** Somebody conflicts with it who does not cover it, and wants to know of it, and of others that it hides. */
    void tell(Consumer<Shadowed<T>> visitor) {
        others.add(visitor);
        visitor.accept(this);
    }

    /** Whether one of {@code dropped}, at the same tracker, is of the last that covers this, and to the same: then that one hides it. */
    boolean hidesBehind(List<Shadowed<T>> dropped) {
        T last = covers.getLast().by;
        for (Shadowed<T> other : dropped) {
            if (other.task == last && other.access.covers(access) && access.covers(other.access)) {
                front = other;
                return true;
            }
        }
        return false;
    }

    /** It is covered, read and known by whom the one is that hid it, and met again if that one is. */
    private void takePlaceBeside(Shadowed<T> other) {
        other.others.forEach(this::tell);
        for (Cover<T> cover : other.covers) {
            covers.add(new Cover<>(cover.by, new ArrayList<>(cover.readers), cover.visitor));
            cover.visitor.accept(this);
        }
        front = other.front;
        if (front == null && tracker.hasShadow(other)) {
            tracker.addShadow(this);
        }
    }

    /** Whether it is covered by {@code newest}, which nobody was submitted behind. */
    boolean isCoveredBy(T newest) {
        return !covers.isEmpty() && covers.getLast().by == newest;
    }

    /** {@code reader} would have met it behind the last that covers it. */
    void readBy(T reader, Access its) {
        covers.getLast().readers.add(new Reader<>(reader, its));
    }
}
