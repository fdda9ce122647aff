package dev.jacquard.sim;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.List;

/**
 * The places where one task can run, as a placement sees them. A place is loaded with the rest of its running task, the
 * tasks that were sent there, and, for a worker of the host, its part of the tasks that any worker may run.
 */
final class OfferedPlaces implements MachineState {
    private final Timeline time;
    private final WorkGraph graph;
    private final Places all;
    private final SentTasks sent;
    private final Knowledge knowledge;
    private final List<Place> places;
    /** The expected nanoseconds of each worker's part of the tasks that any worker may run. */
    private final double sharedNanos;

    OfferedPlaces(
            Timeline time, Places all, SentTasks sent, Knowledge knowledge, List<Place> places, double sharedNanos) {
        this.time = time;
        this.graph = time.graph;
        this.all = all;
        this.sent = sent;
        this.knowledge = knowledge;
        this.places = places;
        this.sharedNanos = sharedNanos;
    }

    /** Returns the number of a place; of the host that of its first worker, since its workers share a memory. */
    private int index(Place place) {
        requireOffered(place);
        return place == Place.HOST ? 0 : all.index(place);
    }

    @Override
    public List<Place> places() {
        return places;
    }

    @Override
    public int tasks(Place place) {
        int index = index(place);
        if (place != Place.HOST) {
            return tasksAt(index);
        }
        int sum = 0;
        for (int worker = 0; worker < all.hosts(); worker++) {
            sum += tasksAt(worker);
        }
        return sum / all.hosts();
    }

    private int tasksAt(int index) {
        return sent.size(index) + (time.isIdle(index) ? 0 : 1);
    }

    @Override
    public double queuedNanos(Place place) {
        int index = index(place);
        if (place.isDevice()) {
            return leftNanos(index);
        }
        if (place != Place.HOST) {
            return leftNanos(index) + sharedNanos;
        }
        double sum = 0;
        for (int worker = 0; worker < all.hosts(); worker++) {
            sum += leftNanos(worker);
        }
        return sum / all.hosts() + sharedNanos;
    }

    /** Returns the rest of the running task, and the tasks that were sent there. */
    private double leftNanos(int index) {
        int task = time.running[index];
        double left = 0;
        if (task != Timeline.NONE) {
            left = Math.max(0, knowledge.nanos(time.starts[task] + graph.cost(task, index) - time.now()));
        }
        return left + sent.nanos(index);
    }

    @Override
    public double runNanos(ReadyTask task, Place place) {
        requireOffered(place);
        return knowledge.nanos(task, place);
    }

    @Override
    public double dataNanos(ReadyTask task, Place place) {
        return knowledge.nanos(time.copyTime(((SimTask) task).number, index(place)));
    }

    @Override
    public long missingBytes(ReadyTask task, Place place) {
        return time.missing(((SimTask) task).number, index(place));
    }

    @Override
    public long bytes(ReadyTask task) {
        return time.missing(((SimTask) task).number, Timeline.NONE);
    }

    @Override
    public boolean isAway(Place place) {
        requireOffered(place);
        return false;
    }
}
