package dev.jacquard.engine;

import dev.jacquard.base.machine.Place;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.schedule.Placement;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.WorkerContext;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Mode;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.Signal;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Sleep against announce, and wait against signal. The engines have no threads: the actors are their workers. */
@SuppressWarnings("missing-explicit-ctor") // nobody but jcstress makes them
public class EngineRaces {
    private static final Node NOTHING = new Node() {
        @Override
        public void run(WorkerContext worker) {}
    };

    /**
     * What the sleep against announce tests share. The result: whether the sleeper sleeps while a node is queued, and
     * whether the sleepers are counted wrong.
     */
    private abstract static class Sleep {
        final Engine engine = new Engine(new EngineOptions(2, 0), new Trace(() -> 0, 0));
        final Worker first = engine.pool().crew.all()[0];
        final Worker second = engine.pool().crew.all()[1];

        void look(II_Result result) {
            boolean queued = first.hasQueued() || engine.pool().news.hasInbox();
            result.r1 = queued && second.isSleeping() ? 1 : 0;
            result.r2 = engine.pool().sleepers.count() == (second.isSleeping() ? 1 : 0) ? 0 : 1;
        }
    }

    /** The fence of announce against the getAndAdd of sleeps: either the node or the sleeper is seen. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the node is seen, or the sleeper woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a node waits while the worker sleeps")
    @State
    public static class SleepAgainstAnnounce extends Sleep {
        @Actor
        public void owner() {
            first.ready(NOTHING);
        }

        @Actor
        public void sleeper() {
            second.step();
        }

        @Arbiter
        public void end(II_Result result) {
            look(result);
        }
    }

    /** The fence behind the inbox against the getAndAdd of sleeps. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the node is seen, or the sleeper woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a node waits while the worker sleeps")
    @State
    public static class SleepAgainstInbox extends Sleep {
        @Actor
        public void outsider() {
            engine.ready(NOTHING);
        }

        @Actor
        public void sleeper() {
            second.step();
        }

        @Arbiter
        public void end(II_Result result) {
            look(result);
        }
    }

    /** A main node comes while the main thread goes to sleep: the count of the queue against the announcement. */
    @JCStressTest
    @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "the node is seen, or the main thread woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a main node waits while the main thread sleeps")
    @State
    public static class MainSleepAgainstAdd {
        private final Engine engine = new Engine(new EngineOptions(2, 0), new Trace(() -> 0, 0));
        private final AtomicBoolean ran = new AtomicBoolean();

        @Actor
        public void outsider() {
            engine.ready(new Scripted("main", Place.MAIN, worker -> ran.set(true)));
        }

        @Actor
        public void main() {
            engine.pool().crew.all()[0].step();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = !ran.get() && engine.pool().crew.all()[0].isSleeping() ? 1 : 0;
        }
    }

    /**
     * What the races under a policy share: two workers, and an order that brings no fence of its own. The result:
     * whether the second sleeps while a node is queued that it could run, and whether the policy was blamed.
     */
    private abstract static class Ordered {
        final Engine engine;
        final Worker first;
        final Worker second;

        Ordered(Policy policy) {
            engine = new Engine(new EngineOptions(2, 0).withPolicy(policy), new Trace(() -> 0, 0));
            first = engine.pool().crew.all()[0];
            second = engine.pool().crew.all()[1];
        }

        void look(II_Result result) {
            PolicyQueues orders = Objects.requireNonNull(engine.pool().scheduler).orders;
            result.r1 = orders.queued() > 0 && second.isSleeping() && (first.isAway() || first.isSleeping()) ? 1 : 0;
            result.r2 = engine.pool().ending.isBroken() ? 1 : 0;
        }
    }

    private static Policy allOnFirst() {
        return new Lockless() {
            @Override
            public Placement placement() {
                return (task, machine) -> machine.places().getFirst();
            }
        };
    }

    /** A first in, first out that the platform's queue serves. */
    private static class Lockless implements Policy {
        @Override
        public String name() {
            return "lockless";
        }

        @Override
        public ReadyOrder order() {
            ConcurrentLinkedQueue<ReadyTask> queue = new ConcurrentLinkedQueue<>();
            return new ReadyOrder() {
                @Override
                public void push(ReadyTask task) {
                    queue.add(task);
                }

                @Override
                public @Nullable ReadyTask pop(int worker) {
                    return queue.poll();
                }
            };
        }
    }

    /** The count of the push against the announcement of the sleeper, in an order that all share. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the node is seen, or the sleeper woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a node waits while the worker sleeps, or the policy is blamed")
    @State
    public static class OrderedSleepAgainstPush extends Ordered {
        public OrderedSleepAgainstPush() {
            super(new Lockless()); // the first worker's thread is away, so the second has to run the node
        }

        @Actor
        public void outsider() {
            engine.ready(new Scripted("n", Place.HOST, worker -> {}));
        }

        @Actor
        public void sleeper() {
            second.step();
        }

        @Arbiter
        public void end(II_Result result) {
            look(result);
        }
    }

    /** The opener goes away from a node that was placed on it while another goes to sleep. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the node is seen, or the sleeper woken")
    @Outcome(expect = Expect.FORBIDDEN, desc = "what the opener left waits while a worker sleeps")
    @State
    public static class LeaveAgainstSleep extends Ordered {
        public LeaveAgainstSleep() {
            super(allOnFirst());
            first.step();
            engine.ready(new Scripted("n", Place.HOST, worker -> {}));
        }

        @Actor
        public void opener() {
            first.leave();
        }

        @Actor
        public void sleeper() {
            second.step();
        }

        @Arbiter
        public void end(II_Result result) {
            look(result);
        }
    }

    /** A node is placed on the opener while that goes away, and another sleeps. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "the leaver sees the node, or the pusher that it is away")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a node waits for the opener, who is away, while a worker sleeps")
    @State
    public static class LeaveAgainstPush extends Ordered {
        public LeaveAgainstPush() {
            super(allOnFirst());
            first.step();
            first.wake();
            second.step();
        }

        @Actor
        public void opener() {
            first.leave();
        }

        @Actor
        public void outsider() {
            engine.ready(new Scripted("n", Place.HOST, worker -> {}));
        }

        @Arbiter
        public void end(II_Result result) {
            look(result);
        }
    }

    /** The CAS of wake against that of others: the sleepers are counted once, however many wake. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "counted once")
    @Outcome(expect = Expect.FORBIDDEN, desc = "counted twice, or not woken")
    @State
    public static class WakeAgainstWake extends Sleep {
        public WakeAgainstWake() {
            second.step();
        }

        @Actor
        public void one() {
            first.ready(NOTHING);
        }

        @Actor
        public void other() {
            engine.ready(NOTHING);
        }

        @Arbiter
        public void end(II_Result result) {
            look(result);
        }
    }

    /**
     * A worker goes to sleep and is woken at once, while another one sleeps: the count, which is read before a worker
     * is woken, never hides that one.
     */
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the worker that sleeps is counted")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a worker sleeps, and the count says that none does")
    @State
    public static class SleepAgainstWake {
        private final Engine engine = new Engine(new EngineOptions(3, 0), new Trace(() -> 0, 0));

        public SleepAgainstWake() {
            engine.pool().crew.all()[2].step();
        }

        @Actor
        public void sleeper() {
            engine.pool().crew.all()[1].step();
        }

        @Actor
        public void waker(I_Result result) {
            for (int i = 0; i < 100 && !engine.pool().crew.all()[1].wake(); i++) {
                Thread.onSpinWait();
            }
            result.r1 = Math.min(1, engine.pool().sleepers.count());
        }
    }

    /** The getAndAdd of sleeps against that of another worker: both are counted. */
    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both are counted")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a sleeper is not counted: once the count is 0 nobody wakes it")
    @State
    public static class SleepAgainstSleep {
        private final Engine engine = new Engine(new EngineOptions(3, 0), new Trace(() -> 0, 0));

        @Actor
        public void one() {
            engine.pool().crew.all()[1].step();
        }

        @Actor
        public void other() {
            engine.pool().crew.all()[2].step();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = engine.pool().sleepers.count();
        }
    }

    /** The fence of sleepUntil against that of signal: who waits is told. */
    @JCStressTest(Mode.Termination)
    @Outcome(id = "TERMINATED", expect = Expect.ACCEPTABLE, desc = "the waiter hears of it")
    @Outcome(id = "STALE", expect = Expect.FORBIDDEN, desc = "the waiter sleeps for ever")
    @State
    public static class WaitAgainstSignal {
        private final Engine engine = new Engine(new EngineOptions(1, 0), new Trace(() -> 0, 0));
        private final AtomicBoolean done = new AtomicBoolean();

        @Actor
        public void waiter() throws InterruptedException {
            engine.awaitUntil(done::getAcquire);
        }

        @Signal
        public void signal() {
            done.setRelease(true);
            engine.signal();
        }
    }
}
