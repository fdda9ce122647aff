package dev.jacquard.core.graph;

import dev.jacquard.core.machine.Target;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that data is where tasks run. Implemented by the engine's coherence, which graphs do not know.
 *
 * <p>Accesses are arrays of a resource and an access in turn. Threads: every method may be called by any thread.
 */
public interface Staging {
    /**
     * The device, as a target of its own, on which a task with these accesses had best run.
     *
     * @param task its name
     * @param kernel what it runs; empty when nothing
     * @param kind of which it must be
     * @param wanted a kind or a device that the user named, or null
     * @return null when there is none
     */
    @Nullable
    Target choose(String task, String kernel, Target kind, @Nullable Target wanted, @Nullable Object[] accesses);

    /** Whether {@code target} is a device, or a kind of which there are devices. */
    boolean hasDevice(Target target);

    /**
     * Throws when a task could never have everything in place.
     *
     * @throws IllegalArgumentException saying what does not fit where
     */
    void requireFits(String task, @Nullable Object[] accesses, int place);

    /** Whether it wants to know of tasks before they run. Constant. */
    boolean plans();

    /** A task is about to be submitted, and will run at {@code place}. */
    Intent plan(String task, String kernel, @Nullable Object[] accesses, int place);

    /** The claim of a task that is about to run at {@code place}. */
    Claim claim(String task, @Nullable Object[] accesses, int place);
}
