package dev.jacquard.core.graph;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The options that a {@link TaskBuilder} was given. Most builders have a name and plain accesses only, and stay small.
 * Confined to the builder's thread; {@link TaskOptions} describes the options.
 */
final class TaskDraft {
    /** The draft of a task without options. Never changed. */
    static final TaskDraft NONE = new TaskDraft();

    /** The earlier tasks of explicit edges. */
    List<TaskNode> after = List.of();
    /** The target that the user named; null for none. */
    @Nullable
    ExecutionTarget target;
    /** True if the main thread is to run the task. */
    boolean mainThread;
    /** True if the task accesses data. */
    boolean touchesData;
    /** True if data is to stay where it is. */
    boolean unstaged;
    /** True if the task reads data that it overwrites, by another access that was declared later. */
    boolean readsFirst;
    /** True if the task is submitted even if its data was freed since it was declared. */
    boolean evenIfFreed;
    /** True if the task runs on a device, even without data. */
    boolean onDevice;
    /** True if the task only has its data brought to its place. */
    boolean brings;

    List<String> awaitedTags = List.of();
    Place place = Place.HOST;
    int priority;
    int affinity = -1;
    Set<Flag> flags = Set.of();

    @Nullable
    String site;

    String kernel = "";
    boolean unordered;
    boolean adjustable;
    boolean asynchronous;
    boolean detached;
    int retries;
    long timeLimitNanos;
    boolean interruptible;
    boolean abandons;
    /** Says if the thread that opens a view has given it up; null where the task is no view. */
    @Nullable
    BooleanSupplier givenUp;

    /** Returns true if data is brought to the task's place when the task is about to run. */
    boolean isStaged() {
        return (touchesData && !unstaged) || onDevice;
    }
}
