package dev.jacquard.core.graph;

import dev.jacquard.core.data.Data;
import dev.jacquard.core.machine.Target;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that data is where tasks run. Implemented by the engine's coherence, which graphs do not know.
 *
 * <p>Accesses are arrays of a resource and an access in turn. Threads: every method may be called by any thread.
 */
public interface Staging {
    /**
     * The device, as a target of its own, on which a task with these accesses had best run; it is counted among those that will.
     *
     * @param kind of which it must be
     * @param wanted a kind or a device that the user named, or null
     * @return null when there is none
     */
    @Nullable
    Target choose(Target kind, @Nullable Target wanted, @Nullable Object[] accesses);

    /** Whether {@code target} is a device, or a kind of which there are devices. */
    boolean hasDevice(Target target);

    /**
     * Throws when a task could never have everything in place.
     *
     * @throws IllegalArgumentException saying what does not fit where
     */
    void requireFits(String task, @Nullable Object[] accesses, int place);

    /** So many more tasks, or fewer, are going to run at {@code place} than {@link #choose} has counted. */
    void expect(int place, int tasks);

    /** What {@code data}, which has no home, holds is worth nothing any more: gives its memory back. No task has a claim to it. */
    void release(Data data);

    /** The claim of a task that is about to run at {@code place}. */
    Claim claim(String task, @Nullable Object[] accesses, int place);
}
