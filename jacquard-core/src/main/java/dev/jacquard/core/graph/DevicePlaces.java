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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The devices that a task could run on, and the host where a policy weighs it against them, as a placement sees them.
 * The engine knows the places; the staging estimates the task at each of them, all at one moment.
 *
 * <pre>
 * offer(place) … --> keepRoomy(footprint) --> choose(task, …) --> end()
 * </pre>
 *
 * <p>Threads: confined to one choice at a time; used again for later choices, so that a decision allocates nothing.
 */
final class DevicePlaces implements MachineState, Staging.Estimates {
    private final Dispatcher dispatcher;
    private final Staging staging;
    private final Spare spare;

    private final List<Place> offered = new ArrayList<>();
    private final List<Place> view = Collections.unmodifiableList(offered);
    /** The place that the placement was told to try again; null for none. */
    private @Nullable Place due;

    private long bytes;
    private double[] queued = new double[4];
    private double[] data = new double[4];
    private long[] missing = new long[4];
    private int[] tasks = new int[4];

    /** The object for the next choice of a session. Threads: any; choices at the same time make further objects. */
    static final class Spare {
        private final AtomicReference<@Nullable DevicePlaces> last = new AtomicReference<>();

        /** Returns an object without places. */
        DevicePlaces take(Dispatcher dispatcher, Staging staging) {
            DevicePlaces its = last.getAndSet(null);
            return its == null ? new DevicePlaces(dispatcher, staging, this) : its;
        }
    }

    private DevicePlaces(Dispatcher dispatcher, Staging staging, Spare spare) {
        this.dispatcher = dispatcher;
        this.staging = staging;
        this.spare = spare;
    }

    /** Returns true if a device is called {@code target} or is of that kind. */
    static boolean any(Dispatcher dispatcher, ExecutionTarget target) {
        return dispatcher.places().stream().anyMatch(place -> place.isDevice() && place.is(target));
    }

    /**
     * Returns the device of that kind, of which there is one, to which a task brings its data: one that is out of
     * service when all are, where the task fails and says why.
     */
    static @Nullable Place ofKind(DependencyDomain domain, KernelTask task, ExecutionTarget kind) {
        Staging staging = domain.staging();
        Place served = ofKind(domain, staging, task, kind, false);
        return served != null ? served : ofKind(domain, staging, task, kind, true);
    }

    private static @Nullable Place ofKind(
            DependencyDomain domain, Staging staging, KernelTask task, ExecutionTarget kind, boolean lost) {
        DevicePlaces places = domain.choices.take(domain.dispatcher, staging);
        for (Place place : domain.dispatcher.places()) {
            if (place.isDevice() && place.is(kind) && staging.isLost(place) == lost) {
                places.offer(place);
            }
        }
        boolean several = places.size() > 1 && !lost;
        Place chosen = several ? places.choose(task, staging.footprint(task.accesses()), null) : places.first();
        places.end();
        return chosen;
    }

    // ---- the choice

    /** Adds a place where the task can run. */
    void offer(Place place) {
        offered.add(place);
    }

    int size() {
        return offered.size();
    }

    /** Returns the first place; null if there is none. */
    @Nullable
    Place first() {
        return offered.isEmpty() ? null : offered.getFirst();
    }

    /** Leaves the places out that could never hold the task's data, unless all are so. Returns true if some could. */
    boolean keepRoomy(Footprint footprint) {
        int roomy = 0;
        for (int i = 0; i < offered.size(); i++) { // no stream: each launch comes here
            roomy += staging.fits(footprint, offered.get(i)) ? 1 : 0;
        }
        if (roomy > 0 && roomy < offered.size()) {
            offered.removeIf(place -> !staging.fits(footprint, place));
        }
        return roomy > 0;
    }

    /**
     * Returns the place for a task that is submitted, is ready, or has failed elsewhere.
     *
     * @param plan the plan of a task that is ready; null before the submission
     */
    Place choose(KernelTask task, Footprint footprint, @Nullable PlannedAccess plan) {
        boolean _ = keepRoomy(footprint);
        if (offered.size() == 1) {
            return offered.getFirst();
        }
        begin(footprint);
        staging.estimate(footprint, plan, view, this);
        return dispatcher.choose(task, this);
    }

    /** Returns the place for a task that is recorded, as {@code work} says. */
    Place chooseRecorded(KernelTask task, Footprint footprint, RecordedWork work) {
        boolean _ = keepRoomy(footprint);
        if (offered.size() == 1) {
            return offered.getFirst();
        }
        begin(footprint);
        work.estimate(task.accesses(), view, this);
        return dispatcher.choose(task, this);
    }

    private void begin(Footprint footprint) {
        bytes = footprint.bytes();
        due = null;
        int count = offered.size();
        if (queued.length < count) {
            queued = new double[count];
            data = new double[count];
            missing = new long[count];
            tasks = new int[count];
        }
    }

    /** Returns in how long the task was expected to start at a place when it was chosen, in nanoseconds. */
    double startNanos(Place place) {
        int index = index(place);
        return Math.max(queued[index], data[index]);
    }

    /** Returns true if a place was chosen to be tried again, although another looked better. */
    boolean isRetry(Place place) {
        return place == due;
    }

    /** Ends the choice: the object is used for another one. */
    void end() {
        offered.clear();
        spare.last.set(this);
    }

    // ---- the view of placements

    /** Throws an {@link IllegalArgumentException} unless the place was offered. */
    private int index(Place place) {
        for (int i = 0; i < offered.size(); i++) {
            if (offered.get(i) == place) {
                return i;
            }
        }
        requireOffered(place);
        throw new IllegalStateException("not reached: " + place);
    }

    @Override
    public void note(int place, double queuedNanos, double dataNanos, long missingBytes, int tasksThere) {
        queued[place] = queuedNanos;
        data[place] = dataNanos;
        missing[place] = missingBytes;
        tasks[place] = tasksThere;
    }

    @Override
    public List<Place> places() {
        return view;
    }

    @Override
    public int tasks(Place device) {
        return tasks[index(device)];
    }

    @Override
    public double queuedNanos(Place device) {
        return queued[index(device)];
    }

    @Override
    public double runNanos(ReadyTask task, Place device) {
        int _ = index(device);
        return dispatcher.times().nanos(task.kernel(), device, bytes);
    }

    @Override
    public boolean isDue(ReadyTask task, Place device) {
        int _ = index(device);
        boolean isDue = dispatcher.times().isDue(task.kernel(), device, bytes);
        due = isDue ? device : due;
        return isDue;
    }

    @Override
    public double dataNanos(ReadyTask task, Place device) {
        return data[index(device)];
    }

    @Override
    public long missingBytes(ReadyTask task, Place device) {
        return missing[index(device)];
    }

    @Override
    public long bytes(ReadyTask task) {
        return bytes;
    }

    @Override
    public boolean isAway(Place device) {
        int _ = index(device);
        return false;
    }
}
