package dev.jacquard.memory.residency;

import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.base.machine.Place;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that data is where tasks run. Implemented by the engine's coherence, which graphs do not know.
 *
 * <p>Threads: every method may be called by any thread.
 */
public interface Staging {
    /**
     * Sets where the graphs note work that broke off half way: from such a note on, copies and claims may never be
     * over, and no wait is for them any more. Before the first task.
     */
    void breaksWith(Breakage graphs);

    /** Returns true if {@code place} is a device that is out of service. */
    boolean isLost(Place place);

    /**
     * Estimates a task at each of the places that it could go to, all at one moment. Allocates nothing but for data of
     * many parts.
     *
     * @param footprint of its accesses
     * @param plan the task's plan, which does not count as work before it; null before the task is submitted
     * @param into gets the figures, under a lock: to be noted and no more
     */
    void estimate(Footprint footprint, @Nullable PlannedAccess plan, List<Place> places, Estimates into);

    /**
     * Returns the estimated time of a copy that no other copy delays, in nanoseconds; infinity where one of the
     * memories is out of service.
     *
     * @throws IllegalArgumentException if there is no such memory
     */
    double copyNanos(String from, String to, long bytes);

    /** Returns true if all of that has room there once other data has gone. */
    boolean fits(Footprint footprint, Place place);

    /** Notes that a task of that name goes from a device that failed it to another place, for that reason. */
    void fellBack(String task, Place from, Place to, Throwable why);

    /**
     * Throws when a task could never have everything in place.
     *
     * @throws IllegalArgumentException which names the data and the place that it does not fit into
     */
    void requireFits(String task, AccessList accesses, Place place);

    /** Returns true if tasks are to be planned before they run. Constant. */
    boolean plans();

    /** A task is about to be submitted, and will run at {@code place}. */
    PlannedAccess plan(String task, String kernel, AccessList accesses, Place place);

    /** Notes that {@code tasks} more tasks, or fewer, run at {@code place} than were planned. */
    void expect(Place place, int tasks);

    /**
     * Gives back the memory of {@code data}, which has no home, and contents that are not needed any more. No task has
     * a claim to it.
     */
    void release(Data data);

    /** Returns true if the output of tasks may have to be computed again. Constant. */
    boolean wantsRecipes();

    /** Returns the properties of {@code accesses} that claims need. */
    Footprint footprint(AccessList accesses);

    /**
     * The claim of a task that is about to run at {@code place}.
     *
     * @param footprint of its accesses, from {@link #footprint}
     * @param recipe how to do the work of the task again; null when that is unknown
     * @param restorable whether data that the task updates is to be kept, so that the task can be tried again
     */
    DataClaim claim(String task, Footprint footprint, Place place, @Nullable Recomputation recipe, boolean restorable);

    /**
     * Reports the claims that wait for room: the continuation given to {@link DataClaim#begin}, and the memory that is
     * full. Without a lock.
     */
    void eachWaiting(BiConsumer<? super Continuation, ? super String> told);

    /** Lets the claims that wait for room go on, and fail, if their {@link Continuation} is not wanted any more. */
    void endUnwantedWaits();

    /** Receives the figures of places. */
    @FunctionalInterface
    interface Estimates {
        /**
         * Notes the figures of one place.
         *
         * @param place its index among the places that were asked for
         * @param queuedNanos how long it is expected to take for the tasks that were sent there and are not over
         * @param dataNanos in how long the task's data could be there: written, and copied
         * @param missingBytes how many bytes of that would have to be copied
         * @param tasks how many tasks were sent there and are not over; for the host how many kernels, per worker
         */
        void note(int place, double queuedNanos, double dataNanos, long missingBytes, int tasks);
    }

    /**
     * The accesses of a task, or of a whole run, to data, as their {@link Staging} works with them: made once, for any
     * number of claims. Immutable.
     */
    interface Footprint {
        /** Returns how many bytes the accesses are to. */
        long bytes();

        /**
         * Returns the same for a task that goes on after others, to which it has lent its accesses: it finds the data
         * that it only writes as these left it, as far as anything was written.
         */
        Footprint behindOthers();

        /**
         * Throws if {@code part} is in none of the parts that the accesses are to.
         *
         * @param task for the message
         * @throws IllegalArgumentException which names the parts
         */
        void requireDeclared(String task, Data data, Box part);
    }

    /**
     * The data that a task is going to access, known from before its submission until the task is over: so other tasks
     * know the data that is still to be written, and data to read can be on its way before the task is ready.
     *
     * <p>Threads: any.
     */
    interface PlannedAccess {
        /** The task has its place in the order of all that access the same. It may be over already. */
        void submitted();

        /**
         * Returns true if the device where the task is to run has so little to do that the task's kernel may be
         * enqueued before the task is ready. The answer may be out of date.
         */
        boolean takesAhead();

        /** The task is about to run, with this. Before the claim begins. */
        void claimed(DataClaim claim);

        /** The task is over, or was not submitted after all. A second call does nothing. */
        void over();
    }
}
