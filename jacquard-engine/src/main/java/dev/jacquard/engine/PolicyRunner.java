package dev.jacquard.engine;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.PolicyException;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.NodeVisitor;
import dev.jacquard.engine.work.ReadyTask;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A policy at work: holds the host's ready nodes in its orders instead of the workers' deques, and watches that it
 * keeps its contract. What the policy does wrong ends the engine with a {@link PolicyException}; from then on no node
 * goes in or comes out.
 *
 * <pre>
 *  any thread --push--> placement --> backlog of a worker, or of all --pop--> worker
 * </pre>
 *
 * <p>Sleep: who pushes counts it, which is a full fence, and then looks for sleepers; who sleeps says so, with a full
 * fence, and then compares the counts with those before its last pop. Of the two one sees the other. A push to a
 * worker's own backlog wakes that worker, or, while its thread is away, some other; a push to the backlog of all wakes
 * one that sleeps. Who takes a task and leaves others wakes the next, so a worker that is woken and finds nothing for
 * itself passes nothing over.
 *
 * <p>Stuck: the last worker to fall asleep sees that all sleep, that each was refused at the present version of its
 * backlog, and that tasks remain: then the policy will never return them.
 */
final class PolicyRunner implements MachineState {
    private final Engine engine;
    private final String name;
    /** Null when one order serves all workers. */
    private final @Nullable Placer placer;
    /** The workers, as a placer sees them. */
    private final List<Place> places;

    private final PolicyQueue[] backlogs;
    /** Null when the policy needs no times. */
    private final @Nullable TimeModel times;

    private final boolean exclusive;
    private final boolean inlines;
    private final boolean fixed;
    private final @Nullable Lock turn;

    private PolicyRunner(Engine engine, Policy policy, ReadyOrder first, Placer placer, int workers) {
        Set<Need> needs = EnumSet.noneOf(Need.class);
        needs.addAll(policy.needs());
        this.engine = engine;
        this.name = policy.name();
        this.placer = placer.placesWorkers() ? placer : null;
        this.places = IntStream.range(0, workers).mapToObj(Place::worker).toList();
        this.exclusive = needs.contains(Need.EXCLUSIVE_CALLS);
        this.inlines = !needs.contains(Need.NO_INLINE_SUCCESSORS);
        this.fixed = needs.contains(Need.FIXED_WORKERS);
        this.turn = needs.contains(Need.ONE_AT_A_TIME) ? new ReentrantLock() : null;
        this.times = needs.contains(Need.TIMES) ? engine.times() : null;
        this.backlogs = new PolicyQueue[this.placer == null ? 1 : workers];
        backlogs[0] = new PolicyQueue(0, first);
        for (int i = 1; i < backlogs.length; i++) {
            ReadyOrder order = policy.order();
            if (order == null || order == first) {
                throw new IllegalArgumentException("policy \"" + name
                        + "\" has a placement, so it must make an order for each worker, and made "
                        + (order == null ? "none" : "the same one again"));
            }
            backlogs[i] = new PolicyQueue(i, order);
        }
    }

    /** Null for a policy without orders of its own: the workers' deques serve. */
    static @Nullable PolicyRunner of(Engine engine, Policy policy, Placer placer, int workers) {
        ReadyOrder first = policy.order();
        if (first != null) {
            return new PolicyRunner(engine, policy, first, placer, workers);
        }
        if (placer.placesWorkers()) {
            throw new IllegalArgumentException("policy \"" + policy.name()
                    + "\" has a placement but no order: the workers' deques take no placement");
        }
        return null;
    }

    /** Returns true if a node that the end of another makes ready may run next on the same worker. */
    boolean inlines() {
        return inlines;
    }

    /**
     * Held while a body runs, where the policy wants one at a time; else null. Reentrant: a body may run others in
     * between.
     */
    @Nullable
    Lock turn() {
        return turn;
    }

    /** Returns where measured times go; null when the policy needs none. */
    @Nullable
    TimeModel times() {
        return times;
    }

    // ---- in

    /** A host node is ready. Any thread. */
    void push(Node node) {
        if (engine.isBroken()) {
            return;
        }
        if (times != null) {
            node.expect((long) Math.max(0, times.nanos(node.name(), Place.HOST, 0)));
        }
        Place place = placer == null ? Place.HOST : placer.place(node, this);
        if (place == null) {
            return;
        }
        PolicyQueue backlog = backlogs[place.number()]; // the host has number 0, like the backlog of all workers
        if (placer != null) {
            backlog.expects(cost(node));
        }
        node.enter(backlog.number);
        try {
            if (exclusive) {
                synchronized (backlog.lock) {
                    backlog.order.push(node);
                }
            } else {
                backlog.order.push(node);
            }
        } catch (Throwable e) {
            fail(node.name(), "threw from push of task \"" + node.name() + '"', e);
            return;
        }
        backlog.pushed();
        wakeFor(backlog);
    }

    private void wakeFor(PolicyQueue backlog) {
        if (placer == null) {
            engine.sleepers().wakeOne();
        } else {
            Worker worker = engine.workerArray()[backlog.number];
            if (!worker.wake() && !fixed && worker.isAway()) {
                engine.sleepers().wakeOne();
            }
        }
    }

    /** Returns the weight of a node in its worker's backlog. */
    static long cost(Node node) {
        return Math.max(1, node.expectedNanos());
    }

    // ---- out

    /** The node that {@code worker} is to run next; null when there is none for it. Called by that worker. */
    @Nullable
    Node pop(Worker worker) {
        if (engine.isBroken()) {
            return null;
        }
        PolicyQueue own = backlogOf(worker);
        worker.shift().triesAt(own.version()); // before the pop: a push in between is tried again
        Node node = take(own, worker);
        if (node == null && mayHelp()) {
            for (PolicyQueue other : backlogs) {
                if (node == null && other != own && isAway(other.number)) {
                    node = take(other, worker);
                }
            }
        }
        return node;
    }

    private @Nullable Node take(PolicyQueue backlog, Worker worker) {
        if (backlog.queued() <= 0) {
            return null;
        }
        ReadyTask task;
        try {
            if (exclusive) {
                synchronized (backlog.lock) {
                    task = backlog.order.pop(worker.index());
                }
            } else {
                task = backlog.order.pop(worker.index());
            }
        } catch (Throwable e) {
            fail(null, "threw from pop", e);
            return null;
        }
        if (task == null) {
            return null;
        }
        if (!(task instanceof Node node) || !node.leave(backlog.number)) {
            String where = task instanceof Node node ? node.whereabouts() : "is no task of the engine's";
            fail(task.name(), "returned task \"" + task.name() + "\", which " + where, null);
            return null;
        }
        backlog.popped();
        if (backlog.queued() > 0 && (placer == null || isAway(backlog.number))) {
            engine.sleepers().wakeOne(); // this one is busy from now on
        }
        if (placer != null) {
            worker.shift().took(backlog, cost(node));
        }
        return node;
    }

    private PolicyQueue backlogOf(Worker worker) {
        return backlogs[placer == null ? 0 : worker.index()];
    }

    /** Returns true if workers take from the backlogs of workers whose thread is away. */
    private boolean mayHelp() {
        return placer != null && !fixed;
    }

    // ---- sleep

    /** Returns true if {@code worker}, which has announced that it sleeps, should ask again. */
    boolean hasNewsFor(Worker worker) {
        if (engine.isBroken()) {
            return false;
        }
        PolicyQueue own = backlogOf(worker);
        if (own.queued() > 0 && own.version() != worker.shift().triedAt()) {
            return true;
        }
        return mayHelp() && hasAbandoned();
    }

    /** Returns true if a task waits for a worker whose thread is away. */
    boolean hasAbandoned() {
        for (PolicyQueue backlog : backlogs) {
            if (backlog.queued() > 0 && isAway(backlog.number)) {
                return true;
            }
        }
        return false;
    }

    /** The thread of {@code worker} went away: what it was to run others may take. */
    void leftBehindBy(Worker worker) {
        if (mayHelp() && backlogOf(worker).queued() > 0) {
            engine.sleepers().wakeOne();
        }
    }

    /** A worker is about to sleep: when all do, and were refused what there still is, the policy keeps it for ever. */
    void requireProgress() {
        long version = version();
        long waiting = queued();
        if (waiting == 0 || engine.isBroken() || engine.isClosed()) {
            return;
        }
        if (!engine.crew().isIdle(this)) {
            // Who was refused before the last pop might be answered otherwise now, and would else sleep on: one after
            // the other asks
            // again, once per version.
            engine.crew().wakeWhoMayAskAgain(this);
            return;
        }
        if (version == version()) {
            fail(
                    null,
                    "keeps " + waiting + " ready task" + (waiting == 1 ? "" : "s")
                            + " back: all workers are idle, and pop answers null to each of them",
                    null);
        }
    }

    /** Returns the number of tasks that wait in all orders. */
    long queued() {
        long sum = 0;
        for (PolicyQueue backlog : backlogs) {
            sum += Math.max(0, backlog.queued());
        }
        return sum;
    }

    private long version() {
        long sum = 0;
        for (PolicyQueue backlog : backlogs) {
            sum += backlog.version();
        }
        return sum;
    }

    /** Returns true if {@code worker} sleeps and was refused at the present version of its backlog. */
    boolean wasRefused(Worker worker) {
        return worker.isSleeping()
                && worker.shift().triedAt() == backlogOf(worker).version();
    }

    /** Shows the number of tasks in each order: a policy does not show the tasks. */
    void visit(NodeVisitor visitor) {
        for (PolicyQueue backlog : backlogs) {
            long nodes = backlog.queued();
            if (nodes > 0) {
                visitor.hidden(
                        nodes,
                        "with policy \"" + name + '"' + (placer == null ? "" : ", for worker " + backlog.number));
            }
        }
    }

    // ---- as the placement sees it

    @Override
    public List<Place> places() {
        return places;
    }

    @Override
    public int tasks(Place worker) {
        return backlogs[worker.number()].tasks();
    }

    @Override
    public double queuedNanos(Place worker) {
        return backlogs[worker.number()].expectedNanos();
    }

    @Override
    public double runNanos(ReadyTask task, Place worker) {
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
        return isAway(worker.number());
    }

    private boolean isAway(int worker) {
        return engine.workerArray()[worker].isAway();
    }

    // ---- failures

    private void fail(@Nullable String task, String what, @Nullable Throwable cause) {
        engine.fail(new PolicyException(name, task, what, cause));
    }
}
