package dev.jacquard.memory.residency;

import dev.jacquard.base.machine.Target;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.data.Data;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that data is where tasks run. Implemented by the engine's coherence, which graphs do not know.
 *
 * <p>Threads: every method may be called by any thread.
 */
public interface Staging {
    /**
     * The device, as a target of its own, on which a task with these accesses had best run.
     *
     * @param task its name
     * @param kernel what it runs; empty when nothing
     * @param kinds of one of which it must be
     * @param wanted a kind or a device that the user named, or null
     * @param without devices that it must not be
     * @return null when there is none, or all are lost
     */
    @Nullable
    Target choose(
            String task,
            String kernel,
            Set<Target> kinds,
            @Nullable Target wanted,
            AccessList accesses,
            Set<Target> without);

    /** A device like that which is lost, so that a task for it fails like those before; null when there is none. */
    @Nullable
    Target lost(Set<Target> kinds, @Nullable Target wanted);

    /** A task of that name goes from a device that failed it to another target, for that reason. */
    void fellBack(String task, Target from, Target to, Throwable why);

    /** The devices of {@code kind}, or called so, as targets of their own. */
    List<Target> devices(Target kind);

    /** Returns true if {@code target} is a device, or a kind of which there are devices. */
    boolean hasDevice(Target target);

    /**
     * Throws when a task could never have everything in place.
     *
     * @throws IllegalArgumentException saying what does not fit where
     */
    void requireFits(String task, AccessList accesses, int place);

    /** Returns true if tasks are to be planned before they run. Constant. */
    boolean plans();

    /** A task is about to be submitted, and will run at {@code place}. */
    PlannedAccess plan(String task, String kernel, AccessList accesses, int place);

    /** Notes that {@code tasks} more tasks, or fewer, run at {@code place} than were planned. */
    void expect(int place, int tasks);

    /**
     * Gives back the memory of {@code data}, which has no home and whose contents are not needed any more. No task has
     * a claim to it.
     */
    void release(Data data);

    /** Returns true if what tasks wrote may have to be computed again. Constant. */
    boolean wantsRecipes();

    /** Returns what claims need to know of {@code accesses}. */
    Footprint footprint(AccessList accesses);

    /**
     * The claim of a task that is about to run at {@code place}.
     *
     * @param footprint of its accesses, from {@link #footprint}
     * @param recipe how to do the work of the task again; null when that is unknown
     * @param restorable whether what the task updates is to be kept, so that the task can be tried again
     */
    DataClaim claim(String task, Footprint footprint, int place, @Nullable Recomputation recipe, boolean restorable);
}
