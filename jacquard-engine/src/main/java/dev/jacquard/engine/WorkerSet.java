package dev.jacquard.engine;

import dev.jacquard.base.concurrent.WorkDeque;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.WorkerState.Role;
import dev.jacquard.engine.work.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An engine's workers: the host's, of which the calling thread is the first, the targets', and the main thread where
 * that is another.
 */
final class WorkerSet {
    private final WorkerPool pool;
    private final EngineOptions options;
    private final List<Worker> all = new ArrayList<>();
    /** The names of their threads, which say whom they serve. */
    private final List<String> names = new ArrayList<>();

    private final int hosts;
    private final boolean mainApart;

    /** Makes them, and says to the queues of {@code places} who serves them. */
    WorkerSet(WorkerPool pool, EngineOptions options, Places places) {
        this.pool = pool;
        this.options = options;
        this.hosts = options.workers();
        Thread main = options.main();
        Thread opener = Thread.currentThread();
        this.mainApart = main != null && main != opener;
        PlaceQueue mains = places.queue(Place.MAIN);
        for (int i = 0; i < hosts; i++) {
            add(Role.HOST, i == 0 && !mainApart ? mains : null, "");
        }
        all.getFirst().lendTo(opener);
        options.places().forEach((place, count) -> {
            PlaceQueue queue = Objects.requireNonNull(places.queue(place));
            for (int i = 0; i < count; i++) {
                add(Role.TARGET, queue, "-" + place.name());
            }
            queue.servedBy(all.subList(all.size() - count, all.size()));
        });
        if (main != null && mains != null) {
            if (mainApart) {
                add(Role.MAIN, mains, "").lendTo(main);
            }
            mains.servedBy(List.of(mainApart ? all.getLast() : all.getFirst()));
        }
    }

    private Worker add(Role role, @Nullable PlaceQueue queue, String serves) {
        names.add("jacquard-worker-" + all.size() + serves);
        Worker worker = new Worker(pool, all.size(), role, queue, options);
        all.add(worker);
        return worker;
    }

    /** By index. */
    Worker[] all() {
        return all.toArray(Worker[]::new);
    }

    int size() {
        return all.size();
    }

    /** Returns the name for the thread of a worker that has its own one. */
    String threadName(Worker worker) {
        return names.get(worker.index());
    }

    /** Returns true when no host worker but the calling one could run the nodes that it leaves. */
    boolean isAloneOnHost() {
        return hosts == 1;
    }

    /** Returns the number of nodes that the worker with deque number {@code victim} of {@link #victims()} has run. */
    int nodesOf(int victim) {
        return (victim < hosts ? all.get(victim) : all.getLast()).nodes();
    }

    Worker[] hosts() {
        return all.subList(0, hosts).toArray(Worker[]::new);
    }

    /** The deques that the host's workers look into. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of the list's elements
    WorkDeque<Node>[] victims() {
        List<Worker> victims = new ArrayList<>(all.subList(0, hosts));
        if (mainApart) {
            victims.add(all.getLast());
        }
        return victims.stream().map(Worker::deque).toArray(WorkDeque[]::new);
    }

    // ---- questions about all

    /**
     * Stays the same while no worker finds anything to run. A hint: read without an order. Looks do not count: a thread
     * that waits looks on and on while others alone may run the ready nodes.
     */
    long progress() {
        long found = 0;
        for (Worker worker : all) {
            found += worker.progress();
        }
        return found;
    }

    /** True if any worker runs a node on a thread that is not blocked; a hint too. */
    boolean isMoving() {
        for (Worker worker : all) {
            if (worker.isBusy()) {
                Thread its = worker.thread();
                Thread.State state = its == null ? Thread.State.RUNNABLE : its.getState();
                if (state == Thread.State.RUNNABLE || state == Thread.State.NEW) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns true if the thread of a worker that is the user's is blocked, and in no wait for nodes. A hint, too. */
    boolean isHeldUp() {
        for (Worker worker : all) {
            Thread its = worker.thread();
            if (worker.isLent() && !worker.takesSteps() && its != null && its.getState() != Thread.State.RUNNABLE) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if any worker runs a node. A hint, too. */
    boolean isBusy() {
        return all.stream().anyMatch(WorkerState::isBusy);
    }

    /** Returns true if each worker sleeps, or has no thread now that could run a node. A hint, too. */
    boolean isAsleep() {
        for (Worker worker : all) {
            boolean awake = !worker.isLent() || worker.takesSteps();
            if (worker.isBusy() || (awake && !worker.isSleeping())) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns true if any worker runs a node, or is a waiting thread's, which runs one whenever it finds one. A hint,
     * too.
     */
    boolean isRunning() {
        for (Worker worker : all) {
            if (worker.isBusy() || worker.takesSteps()) {
                return true;
            }
        }
        return false;
    }
}
