package dev.jacquard.core.graph;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.memory.residency.Staging;
import dev.jacquard.memory.residency.Staging.Footprint;
import dev.jacquard.memory.residency.Staging.PlannedAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The devices that a task could run on, and the host where a policy weighs it against them, as a placement sees them.
 * The engine knows the places; the staging knows when the task's data would be in each. Confined to one choice.
 */
final class DevicePlaces implements MachineState {
    private final Dispatcher dispatcher;
    private final Staging staging;
    private final Footprint footprint;
    private final List<Place> places;
    /** The task's plan, whose own work is not counted; null before the task is submitted. */
    private final @Nullable PlannedAccess plan;

    private final @Nullable Place planned;

    private DevicePlaces(
            Dispatcher dispatcher,
            Staging staging,
            Footprint footprint,
            List<Place> places,
            @Nullable PlannedAccess plan,
            @Nullable Place planned) {
        this.dispatcher = dispatcher;
        this.staging = staging;
        this.footprint = footprint;
        this.places = places;
        this.plan = plan;
        this.planned = planned;
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
     * @param able returns true for each device that can run the task, and for the host where it is weighed
     * @param lost true to choose a device that is out of service, where the task fails like earlier ones
     */
    static @Nullable Place choose(
            Dispatcher dispatcher, Staging staging, KernelTask task, Predicate<Place> able, boolean lost) {
        Place first = null;
        List<Place> places = List.of();
        for (Place place : dispatcher.places()) { // no stream: each launch comes here
            if ((place.isDevice() || place == Place.HOST) && able.test(place) && staging.isLost(place) == lost) {
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
                : dispatcher.choose(task, new DevicePlaces(dispatcher, staging, footprint, offered, null, null));
    }

    /**
     * Returns the state for a task that is ready and is to run at {@code planned}, where no work before it is left if
     * that is the host.
     *
     * @param places where the task could go, {@code planned} among them
     */
    static DevicePlaces ready(
            Dispatcher dispatcher,
            Staging staging,
            Footprint footprint,
            List<Place> places,
            PlannedAccess plan,
            Place planned) {
        return new DevicePlaces(dispatcher, staging, footprint, places, plan, planned);
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
        if (device != planned || plan == null) {
            return staging.queuedNanos(device);
        }
        return device == Place.HOST ? 0 : plan.queuedBefore(); // a worker has taken it, or the device's thread
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
