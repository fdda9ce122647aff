package dev.jacquard.core.engine;

import dev.jacquard.core.graph.Node;
import dev.jacquard.core.graph.WorkerContext;
import dev.jacquard.core.trace.Trace;
import java.util.concurrent.atomic.AtomicBoolean;
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
     * What the sleep against announce tests share. The result: whether the sleeper sleeps while a node is queued, and whether the
     * sleepers are counted wrong.
     */
    private abstract static class Sleep {
        final Engine engine = new Engine(new EngineOptions(2, 0), new Trace(() -> 0, 0));
        final Worker first = engine.workerArray()[0];
        final Worker second = engine.workerArray()[1];

        void look(II_Result result) {
            boolean queued = first.hasQueued() || engine.hasInbox();
            result.r1 = queued && second.isSleeping() ? 1 : 0;
            result.r2 = engine.sleepers() == (second.isSleeping() ? 1 : 0) ? 0 : 1;
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

    /** The getAndAdd of sleeps against that of another worker: both are counted. */
    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both are counted")
    @Outcome(expect = Expect.FORBIDDEN, desc = "a sleeper is not counted: once the count is 0 nobody wakes it")
    @State
    public static class SleepAgainstSleep {
        private final Engine engine = new Engine(new EngineOptions(3, 0), new Trace(() -> 0, 0));

        @Actor
        public void one() {
            engine.workerArray()[1].step();
        }

        @Actor
        public void other() {
            engine.workerArray()[2].step();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = engine.sleepers();
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
