package dev.jacquard.memory.residency;

import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.DeviceBody;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The data that one task accesses, in the memory where the task runs. A claim is made for each run of the task, and
 * given back once.
 *
 * <p>Threads: one at a time, each after the one before.
 */
public interface DataClaim {
    /** The result of enqueuing work early. */
    enum Ahead {
        /** The device knows of it. */
        TOLD,
        /** The device, or the work, has refused: the launch fails with that. Nothing may be enqueued after it. */
        REFUSED,
        /** The device knows of enough: perhaps once that is over. */
        LATER,
        /** Some of the data is not there yet, or something has failed. */
        NEVER
    }

    /** Says that the task does nothing but have the data brought, ahead of other tasks. Before {@link #begin}. */
    void brings();

    /**
     * Begins to bring missing data.
     *
     * @param then run once, by any thread, when all is in place or cannot be; not when all is in place already
     * @return whether all is in place
     */
    boolean begin(Continuation then);

    /** Returns why not all could be brought into place; null when it was. */
    @Nullable
    Throwable failure();

    /** Returns whether the claim is for the host: then {@link #memory} can be asked for. */
    boolean isOnHost();

    /** Host memory of a part that the task accesses. The claim is for the host. */
    Memory memory(Data data, Box part);

    /**
     * Runs the task's work on the claim's device.
     *
     * @param numbers its first arguments
     * @return complete when the device has done it
     */
    CompletionStage<?> launch(DeviceBody body, List<Object> numbers);

    /** Returns how long the device took for the work that was launched, and is done. */
    long workNanos();

    /**
     * Enqueues the task's work on the device before the task is ready: all tasks that it waits for have enqueued their
     * work there, and the device does one after the other. Before {@link #begin}; a {@link #launch} of the same work,
     * which comes when the task is ready, then waits for the work enqueued here.
     *
     * @param before the {@link #stream} of the work of these tasks
     */
    Ahead launchAhead(int before, DeviceBody body, List<Object> numbers);

    /** Returns true if {@link #launchAhead} enqueued the work, and the device may have done some of it. */
    boolean hasBegun();

    /**
     * Returns true if the device has done the work enqueued by {@link #launchAhead}, or has not begun it and will not.
     *
     * @param then run once, by any thread, when it has; not when it has already
     */
    boolean isSettled(Runnable then);

    /** The number of the device's stream that has the work; negative when nothing may be enqueued after it. */
    int stream();

    /**
     * The task gives up rights while its body runs, which has launched nothing. Its output so far to the parts that it
     * does not write any more is the newest at once; {@link #release} commits only the rest.
     *
     * @param left its accesses from now on, each in the place of the one that covers it
     * @return the work that is left for when the caller has given its locks back
     */
    Runnable demote(AccessList left);

    /**
     * The task is over, or does not need this any more, or is to be tried again with another claim: its output is the
     * newest, if it ended {@code well}.
     */
    void release(boolean well);

    /**
     * Instead of {@link #release(boolean)}, for a claim that serves several tasks, not all of which ended well: the
     * output of the tasks that did is the newest, output that others left half done is lost, and data that none has
     * begun to write is as it was.
     *
     * @param all whether all that the claim is for was written well before these tasks
     * @param begun the tasks that were begun, none before one that it conflicts with and that came before it
     */
    void release(boolean all, List<Share> begun);

    /**
     * Keeps the claim for another run of the same work, instead of {@link #release(boolean)} after one that ended well:
     * until {@link #resume}, others may recall it. Of a run after that, {@link #release(boolean, List)} counts the runs
     * before as {@code all}.
     *
     * @return false when it cannot rest: the caller releases it
     */
    boolean rest();

    /**
     * Takes up a claim that rests: all is in place as it was.
     *
     * @return false when it was recalled, and is over: the caller makes another
     */
    boolean resume();

    /** Returns true if {@code other}, of the same footprint, has all of its data in the same memory. */
    boolean isWhere(DataClaim other);

    /**
     * One of the tasks that a claim serves.
     *
     * @param footprint of its accesses, each of which is within one of the claim's
     * @param well whether it ended well
     */
    record Share(Staging.Footprint footprint, boolean well) {}
}
