package dev.jacquard.engine.work;

import dev.jacquard.base.machine.Place;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The machine as a placement sees it when a task can go to several places. For a kernel, all answers are of one moment;
 * for a ready task, two answers may be of two moments. Times are in nanoseconds. A question about a place that is not
 * one of {@link #places()} throws an {@link IllegalArgumentException}.
 *
 * <p>The state is valid until the placement has answered: it is not to be kept.
 *
 * <p>Threads: may be asked by the thread that asks the placement.
 */
public interface MachineState {
    /**
     * Returns the places to choose from, at least one: the host's workers for a task that is ready, devices for a
     * kernel that is submitted, and among them the host's workers together, as {@link Place#HOST}, if the policy
     * {@linkplain dev.jacquard.engine.schedule.Need#HOST_FOR_KERNELS wants} that. Places that could never hold the
     * task's data are not among them unless all are so.
     */
    List<Place> places();

    /** Returns how many tasks were placed there and are not over: waiting or running; per worker for several. */
    int tasks(Place place);

    /** Returns how long these will probably run, together; for workers a task of unknown length counts as 1. */
    double queuedNanos(Place place);

    /** Returns how long {@code task} will probably run there; negative when that is not known. */
    double runNanos(ReadyTask task, Place place);

    /**
     * Returns true if {@code task} should be tried there although another place looks better: its time there is not
     * known, or was measured long ago. The answer is true once, and then false until that run has ended or many runs
     * elsewhere have; a placement asks only where it would follow a true answer. Depends on the runs, not on chance.
     */
    default boolean isDue(ReadyTask task, Place place) {
        requireOffered(place);
        return false;
    }

    /**
     * Returns in how long the data of {@code task} could be there, with the end of the tasks that write it and the
     * copies; 0 for workers of the host, which share its memory.
     */
    double dataNanos(ReadyTask task, Place place);

    /** Returns how many bytes of the data of {@code task} would have to be copied to that place. */
    long missingBytes(ReadyTask task, Place place);

    /** Returns how many bytes of data {@code task} accesses. */
    long bytes(ReadyTask task);

    /** Returns true if the thread there does something else now: that of the opener while it does not wait. */
    boolean isAway(Place place);

    /** Returns true if {@code place} is one of {@link #places()}. */
    @SuppressWarnings("ReferenceEquality") // places are compared by identity
    default boolean isOffered(@Nullable Place place) {
        if (place == null) {
            return false;
        }
        List<Place> places = places();
        int number = place.number(); // of a worker, its index: no search for each ready task
        return (number < places.size() && places.get(number) == place) || places.contains(place);
    }

    /** Throws an {@link IllegalArgumentException} unless {@code place} is one of {@link #places()}. */
    default void requireOffered(@Nullable Place place) {
        if (!isOffered(place)) {
            String offered = places().stream().map(Place::name).collect(Collectors.joining(", "));
            throw new IllegalArgumentException(place + " is not among the places to choose from: " + offered);
        }
    }
}
