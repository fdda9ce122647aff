package dev.jacquard.engine;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a worker under a policy, from its request for a node to that node's end. Confined to the worker's
 * steps.
 */
final class Shift {
    /** The version of the backlog before the last pop. Others read it once they have seen that the worker sleeps. */
    private long triedAt;
    /**
     * The queue in which the running node was placed; its weight there follows; null for a node that was not placed.
     */
    private @Nullable PolicyQueue placedIn;

    private long placedCost;
    /** True if the running node has only found that it has to wait. */
    private boolean nothing;

    /** The worker is about to ask. */
    void triesAt(long version) {
        triedAt = version;
    }

    /** Its backlog's version when it last asked. */
    long triedAt() {
        return triedAt;
    }

    /** The node that runs next was placed there with that weight. */
    void took(PolicyQueue from, long cost) {
        placedIn = from;
        placedCost = cost;
    }

    /** The running node has only found that it has to wait. */
    void ranNothing() {
        nothing = true;
    }

    /** Runs {@code node}; measures it when there is something to keep times in. */
    void run(Node node, WorkerContext worker, PolicyRunner policy, Clock clock) {
        Object turn = policy.turn();
        if (turn == null) {
            run(node, worker, policy.times(), clock);
            return;
        }
        synchronized (turn) { // a ReentrantLock that is acquired with a full stack may never be given back
            run(node, worker, policy.times(), clock);
        }
    }

    private void run(Node node, WorkerContext worker, @Nullable TimeModel times, Clock clock) {
        PolicyQueue from = placedIn;
        long cost = placedCost;
        placedIn = null; // the node may run others in between
        try {
            if (times == null || !node.isForHost()) {
                node.run(worker);
            } else {
                String name = node.name(); // before it runs: a node that is over may forget it
                long start = clock.nanoTime();
                nothing = false;
                node.run(worker);
                long nanos = Math.max(1, clock.nanoTime() - start);
                if (!nothing) {
                    times.add(name, Place.HOST, 0, (double) nanos);
                    node.ran(nanos);
                }
                nothing = false; // of a node that ran in between
            }
        } finally {
            if (from != null) {
                from.over(cost);
            }
        }
    }
}
