package dev.jacquard.sim;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.PolicyGuard;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The orders of a policy, one for all host workers or one for each, and the view of the workers for its placement.
 * Loads are counted as the engine counts them: a task from its push to its end, with its expected time.
 */
final class OrderPool extends HostPool implements MachineState {
    private final PolicyGuard<SimTask> guard;
    private final List<PolicyGuard<SimTask>.Order> orders;
    private final Timeline time;
    private final Knowledge knowledge;
    private final List<Place> places;
    private final boolean inlines;
    /** By order: the tasks that wait or run. */
    private final int[] placed;
    /** By order: the expected nanoseconds of these. */
    private final long[] loads;

    /** True while the running task of a worker was placed. */
    private final boolean[] fromOrder;

    OrderPool(
            PolicyGuard<SimTask> guard,
            List<PolicyGuard<SimTask>.Order> orders,
            Timeline time,
            Knowledge knowledge,
            List<Place> workers) {
        super(workers.size());
        this.guard = guard;
        this.orders = orders;
        this.time = time;
        this.knowledge = knowledge;
        this.places = workers;
        this.inlines = !guard.needs(Need.NO_INLINE_SUCCESSORS);
        this.placed = new int[orders.size()];
        this.loads = new long[orders.size()];
        this.fromOrder = new boolean[workers.size()];
    }

    @Override
    void send(SimTask task) {
        knowledge.expect(task);
        int order = guard.placesWorkers() ? guard.place(task, this).number() : 0;
        loads[order] += task.load();
        placed[order]++;
        orders.get(order).push(task);
    }

    @Override
    void share(SimTask task, int worker) {
        send(task);
    }

    @Override
    boolean inlines() {
        return inlines;
    }

    @Override
    @Nullable
    SimTask choose(int worker, long nanos) {
        if (inlines && looksUp(worker, nanos)) {
            shareNext(worker); // a chain without end must not starve the others
        }
        SimTask inline = takeNext(worker);
        if (inline != null) {
            fromOrder[worker] = false;
            return inline;
        }
        int order = guard.placesWorkers() ? worker : 0;
        SimTask task = orders.get(order).pop(worker);
        fromOrder[worker] = task != null;
        return task;
    }

    @Override
    void leave(SimTask task, int worker) {
        if (fromOrder[worker]) {
            fromOrder[worker] = false;
            int order = guard.placesWorkers() ? worker : 0;
            placed[order]--;
            loads[order] -= task.load();
        }
    }

    // ---- the machine, as the placement sees it

    private int order(Place worker) {
        requireOffered(worker);
        return worker.number();
    }

    @Override
    public List<Place> places() {
        return places;
    }

    @Override
    public int tasks(Place worker) {
        return placed[order(worker)];
    }

    @Override
    public double queuedNanos(Place worker) {
        return loads[order(worker)];
    }

    @Override
    public double runNanos(ReadyTask task, Place worker) {
        requireOffered(worker);
        return knowledge.nanos(task, worker);
    }

    @Override
    public double dataNanos(ReadyTask task, Place worker) {
        return knowledge.nanos(time.copyTime(((SimTask) task).number, order(worker)));
    }

    @Override
    public long missingBytes(ReadyTask task, Place worker) {
        return time.missing(((SimTask) task).number, order(worker));
    }

    @Override
    public long bytes(ReadyTask task) {
        return time.missing(((SimTask) task).number, Timeline.NONE);
    }

    @Override
    public boolean isAway(Place worker) {
        requireOffered(worker);
        return false;
    }
}
