package dev.jacquard.engine;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.WorkDeque;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.PolicyGuard;
import dev.jacquard.engine.work.Node;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * All that the workers of an engine share: where ready nodes go, and which worker is woken for them.
 *
 * <p>Threads: any. The package documentation has the protocols.
 */
final class WorkerPool {
    /** The clock by which anything is decided. */
    final Clock clock;

    final Trace trace;
    /** The threads for users' code that no worker runs. */
    final CachedThreads background = new CachedThreads("jacquard-background");

    final Timers timers;
    final Waiters waiters;
    /** The nodes that are in no worker's deque. */
    final News news = new News();

    final Ending ending;
    final Places places;
    final TimeModel times = new TimeModel();
    final PolicyGuard<Node> guard;
    /** Holds the host's ready nodes; null when the workers' deques do. */
    final @Nullable PolicyRunner scheduler;

    final Binding binding;
    final WorkerSet crew;
    /** The deques that the host's workers look into: the host's, then that of a separate main thread. */
    final WorkDeque<Node>[] victims;
    /** The host's workers that sleep. */
    final Sleepers sleepers;
    /** The loops that idle workers may help with. */
    final Loops loops;
    /** No deque has a thief. */
    final boolean alone;

    /** Notices nothing until another is set, before any thread waits. */
    StallWatch watch;

    WorkerPool(EngineOptions options, Trace trace) {
        this.clock = trace.clock();
        this.trace = trace;
        this.timers = new Timers(clock, background, this::fail);
        this.waiters = new Waiters(timers);
        this.ending = new Ending(news, waiters);
        this.places = new Places(options);
        this.binding = Binding.of(options.policy());
        this.guard = new PolicyGuard<>(Policies.exclusive(options.policy()), "the engine's");
        this.scheduler = PolicyRunner.of(options.workers(), ending, guard, times);
        this.crew = new WorkerSet(this, options, places);
        this.victims = crew.victims();
        this.sleepers = new Sleepers(crew.hosts());
        this.loops = new Loops(sleepers, crew.hosts().length, isAlone(), ending.broken);
        this.alone = victims.length == 1;
        this.watch = new StallWatch(timers, crew);
        if (scheduler != null) {
            scheduler.servedBy(crew.all(), sleepers);
        }
    }

    /** Ends the engine. For the timers, which are started after the constructor. */
    private void fail(Throwable why) {
        ending.fail(why);
    }

    /** Sends a node to the queue of its place, where the workers that may run it look. */
    void send(Node node) {
        if (!node.isForHost()) {
            places.add(node);
        } else if (scheduler != null) {
            if (timers.isOwnThread()) { // the policy is users' code, which may hold its lock for long
                background.execute(() -> scheduler.push(node));
            } else {
                scheduler.push(node);
            }
        } else {
            news.add(node); // a volatile write: it stands before the volatile read in wakeOne()
            sleepers.wakeOne();
        }
    }

    @Nullable
    Node fromInbox() {
        if (!news.hasInbox()) {
            return null;
        }
        Node node = news.poll();
        if (node != null && news.hasInbox()) {
            sleepers.wakeOne(); // the worker that was woken for the rest may have been this one, which is busy now
        }
        return node;
    }

    /** A thread that waits came across {@code node}, which it does not run. */
    void setAside(Node node) {
        news.setAside(node); // a volatile write: it stands before the volatile read in wakeOne()
        sleepers.wakeOne();
    }

    /** A node went into a queue: wakes a worker when one sleeps. */
    void announce() {
        if (!alone) {
            VarHandle.fullFence(); // pairs with the getAndAdd in Sleepers: the queue's new node stands before the look
            sleepers.wakeOne();
        }
    }

    /** Returns true if any of the host's workers would find a node. */
    boolean hasWork() {
        if (news.hasInbox() || !news.aside.isEmpty()) {
            return true;
        }
        for (WorkDeque<Node> deque : victims) {
            if (!deque.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if there is no other worker that could help a node. */
    boolean isAlone() {
        return crew.size() == 1;
    }
}
