package dev.jacquard.core.graph;

import dev.jacquard.base.machine.Place;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The options that few tasks have, as the submission gave them. Immutable. */
final class TaskOptions {
    /** The options of a task that has none. */
    static final TaskOptions NONE = new TaskOptions(false);
    /** The options of a task that only {@link TaskNode#end} ends. */
    static final TaskOptions DETACHED = new TaskOptions(true);

    /** The tags for which the task waits until they have a first member. */
    final List<String> awaitedTags;
    /**
     * True for a barrier: every task before is over before this one starts, and this one before any later task starts.
     */
    final boolean synchronizing;
    /** The place where the task runs first. */
    final Place place;
    /** The priority, for scheduling policies. */
    final int priority;
    /** The index of the worker that the user wants for the task; -1 for any. */
    final int affinity;
    /** The flags, for the graph and scheduling policies. */
    final Set<Flag> flags;
    /** The place of the submission in the user's code; known in checking mode. */
    final @Nullable String site;
    /** The name of the kernel that the task runs; empty for none. */
    final String kernel;
    /** True if the accesses that read come first, since one overwrites data that another one reads. */
    final boolean readsFirst;
    /** True if the task takes unordered resources when it is about to run. */
    final boolean unordered;
    /** True if data is brought to the task's place when the task is about to run. */
    final boolean staged;
    /** True if that is all that the task does. */
    final boolean brings;
    /** True if the staging is to know of the task before the submission. */
    final boolean planned;
    /** True if the task accesses data: the data must have memory when the task is submitted. */
    final boolean needsData;
    /** True if other threads may refine or demote the task. */
    final boolean adjustable;
    /** True if the body only begins the task's work. */
    final boolean asynchronous;
    /** True if only {@link TaskNode#end} ends the task, and not the return of its body. */
    final boolean detached;
    /** The number of further tries of a body that fails. */
    final int retries;
    /** The time limit of the task; 0 for none. */
    final long timeLimitNanos;
    /** True if the body is interrupted when its graph is cancelled. */
    final boolean interruptible;
    /**
     * True if the task is over as soon as its limit has passed, or its graph was cancelled, whatever its stage does.
     */
    final boolean abandons;

    /** Says if the thread that opens a view has given it up; null where the task is no view. */
    private final @Nullable BooleanSupplier givenUp;

    private TaskOptions(boolean detached) {
        this.detached = detached;
        awaitedTags = List.of();
        synchronizing = false;
        place = Place.HOST;
        priority = 0;
        affinity = -1;
        flags = Set.of();
        site = null;
        kernel = "";
        readsFirst = false;
        unordered = false;
        staged = false;
        brings = false;
        planned = false;
        needsData = false;
        adjustable = false;
        asynchronous = false;
        retries = 0;
        timeLimitNanos = 0;
        interruptible = false;
        abandons = false;
        givenUp = null;
    }

    /** Creates the options that {@code from} has been given. */
    TaskOptions(TaskDraft from) {
        detached = from.detached;
        awaitedTags = List.copyOf(from.awaitedTags);
        synchronizing = from.flags.contains(Flag.SYNCHRONIZING);
        place = from.place;
        priority = from.priority;
        affinity = from.affinity;
        flags = from.flags;
        site = from.site;
        kernel = from.kernel;
        readsFirst = from.readsFirst;
        unordered = from.unordered;
        staged = from.isStaged();
        brings = from.brings;
        planned = staged || from.unstaged;
        needsData = from.touchesData && !from.evenIfFreed;
        adjustable = from.adjustable;
        asynchronous = from.asynchronous;
        retries = from.retries;
        timeLimitNanos = from.timeLimitNanos;
        interruptible = from.interruptible;
        abandons = from.abandons;
        givenUp = from.givenUp;
    }

    /** Returns true if the task is a view that was given up, or closed: its body needs no data any more. Any thread. */
    boolean isGivenUp() {
        return givenUp != null && givenUp.getAsBoolean();
    }

    /** Returns true if nothing but the earlier tasks decides when the task may run, and how. */
    boolean mayLaunchAhead() {
        return !unordered && retries == 0 && timeLimitNanos == 0 && !interruptible && !adjustable && !synchronizing;
    }
}
