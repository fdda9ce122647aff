package dev.jacquard.engine;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.schedule.PolicyGuard;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.ReadyTask;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The orders of a policy, one for all workers or one for each, and their view for its placement: the machine with the
 * host's workers as places. Threads: any.
 */
final class PolicyQueues implements MachineState {
    /** By the index of the worker; the order of all workers has number 0. */
    final PolicyQueue[] all;

    private final List<Place> places;
    /** Null when the policy needs no times. */
    private final @Nullable TimeModel times;
    /** Set once, before any thread runs. */
    private WorkerState[] workers = {};

    PolicyQueues(List<PolicyGuard<Node>.Order> orders, int workers, @Nullable TimeModel times) {
        this.places = IntStream.range(0, workers).mapToObj(Place::worker).toList();
        this.times = times;
        this.all = orders.stream().map(PolicyQueue::new).toArray(PolicyQueue[]::new);
    }

    /** The workers that take from the orders. Before any thread runs. */
    void servedBy(WorkerState[] hostsFirst) {
        workers = hostsFirst;
    }

    /** Returns the number of tasks that wait in all orders. */
    long queued() {
        long sum = 0;
        for (PolicyQueue queue : all) {
            sum += Math.max(0, queue.order.waiting());
        }
        return sum;
    }

    /** Changes with every push and pop. */
    long version() {
        long sum = 0;
        for (PolicyQueue queue : all) {
            sum += queue.order.version();
        }
        return sum;
    }

    /** Returns true if the thread of that worker is away. */
    boolean isAway(int worker) {
        return workers[worker].isAway();
    }

    private PolicyQueue of(Place worker) {
        requireOffered(worker);
        return all[worker.number()];
    }

    @Override
    public List<Place> places() {
        return places;
    }

    @Override
    public int tasks(Place worker) {
        return of(worker).tasks();
    }

    @Override
    public double queuedNanos(Place worker) {
        return of(worker).expectedNanos();
    }

    @Override
    public double runNanos(ReadyTask task, Place worker) {
        requireOffered(worker);
        return times == null ? -1 : times.nanos(task.name(), Place.HOST, 0);
    }

    @Override
    public double dataNanos(ReadyTask task, Place worker) {
        return 0;
    }

    @Override
    public long missingBytes(ReadyTask task, Place worker) {
        return 0;
    }

    @Override
    public long bytes(ReadyTask task) {
        return 0;
    }

    @Override
    public boolean isAway(Place worker) {
        requireOffered(worker);
        return isAway(worker.number());
    }
}
