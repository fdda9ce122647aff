package dev.jacquard.core.graph;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.memory.residency.Staging;
import dev.jacquard.memory.residency.Staging.Footprint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The devices that a task could run on, as a placement sees them. The engine knows the places; the staging knows when
 * the task's data would be in each. Confined to one choice.
 */
final class DevicePlaces implements MachineState {
    private final Dispatcher dispatcher;
    private final Staging staging;
    private final Footprint footprint;
    private final List<Place> places;

    private DevicePlaces(Dispatcher dispatcher, Staging staging, Footprint footprint, List<Place> places) {
        this.dispatcher = dispatcher;
        this.staging = staging;
        this.footprint = footprint;
        this.places = places;
    }

    /** Returns true if a device is called {@code target} or is of that kind. */
    static boolean any(Dispatcher dispatcher, ExecutionTarget target) {
        return dispatcher.places().stream().anyMatch(place -> place.isDevice() && place.is(target));
    }

    /**
     * Returns the device of that kind, of which there is one, to which a task brings its data: one that is out of
     * service when all are, where the task fails and says why.
     */
    static @Nullable Place ofKind(Dispatcher dispatcher, Staging staging, KernelTask task, ExecutionTarget kind) {
        Place served = choose(dispatcher, staging, task, place -> place.is(kind), false);
        return served != null ? served : choose(dispatcher, staging, task, place -> place.is(kind), true);
    }

    /**
     * Returns the device for a task that is submitted, or has failed elsewhere; null if there is none.
     *
     * @param able returns true for each device that can run the task
     * @param lost true to choose a device that is out of service, where the task fails like earlier ones
     */
    static @Nullable Place choose(
            Dispatcher dispatcher, Staging staging, KernelTask task, Predicate<Place> able, boolean lost) {
        Place first = null;
        List<Place> places = List.of();
        for (Place place : dispatcher.places()) { // no stream: each launch comes here
            if (place.isDevice() && able.test(place) && staging.isLost(place) == lost) {
                if (first == null) {
                    first = place;
                } else {
                    places = places.isEmpty() ? new ArrayList<>(List.of(first)) : places;
                    places.add(place);
                }
            }
        }
        if (places.isEmpty() || lost) {
            return first;
        }
        Footprint footprint = staging.footprint(task.accesses());
        List<Place> roomy =
                places.stream().filter(place -> staging.fits(footprint, place)).toList();
        List<Place> offered = roomy.isEmpty() ? places : roomy;
        return offered.size() == 1
                ? offered.getFirst()
                : dispatcher.choose(task, new DevicePlaces(dispatcher, staging, footprint, offered));
    }

    @Override
    public List<Place> places() {
        return places;
    }

    @Override
    public int tasks(Place device) {
        requireOffered(device);
        return staging.tasks(device);
    }

    @Override
    public double queuedNanos(Place device) {
        requireOffered(device);
        return staging.queuedNanos(device);
    }

    @Override
    public double runNanos(ReadyTask task, Place device) {
        requireOffered(device);
        return dispatcher.times().nanos(task.kernel(), device, footprint.bytes());
    }

    @Override
    public boolean isDue(ReadyTask task, Place device) {
        requireOffered(device);
        return dispatcher.times().isDue(task.kernel(), device, footprint.bytes());
    }

    @Override
    public double dataNanos(ReadyTask task, Place device) {
        requireOffered(device);
        return staging.dataNanos(footprint, device);
    }

    @Override
    public long missingBytes(ReadyTask task, Place device) {
        requireOffered(device);
        return staging.missingBytes(footprint, device);
    }

    @Override
    public long bytes(ReadyTask task) {
        return footprint.bytes();
    }

    @Override
    public boolean isAway(Place device) {
        requireOffered(device);
        return false;
    }
}
