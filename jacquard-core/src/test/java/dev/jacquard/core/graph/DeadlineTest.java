package dev.jacquard.core.graph;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Dispatcher.Timer;
import dev.jacquard.engine.work.Node;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The timers of deadlines, which must not pile up behind graphs that are gone. */
class DeadlineTest {
    /** Counts timers, and runs nothing. */
    private static final class CountingTimers implements Dispatcher {
        final AtomicInteger pending = new AtomicInteger();
        private final Trace trace = new Trace(Clock.system(), 0);

        @Override
        public int workers() {
            return 1;
        }

        @Override
        public void ready(Node node) {
            throw new AssertionError("nothing is submitted");
        }

        @Override
        public void awaitUntil(BooleanSupplier done) {}

        @Override
        public void signal() {}

        @Override
        public Timer scheduleOnTimer(long nanosFromNow, Runnable action) {
            pending.incrementAndGet();
            return () -> {
                pending.decrementAndGet();
                return true;
            };
        }

        @Override
        public Trace trace() {
            return trace;
        }
    }

    @Test
    void theDeadlinesOfGraphsThatAreGoneAreCancelled() {
        CountingTimers timers = new CountingTimers();
        DependencyDomain domain = new DependencyDomain(this, timers, DependencyDomain.Options.NONE);
        int made = 0;
        for (int round = 0; round < 50 && (round < 10 || timers.pending.get() > made / 2); round++) {
            for (int i = 0; i < 200; i++, made++) {
                new TaskGraph("request", domain, FailurePolicy.CONTINUE).deadline(Duration.ofHours(1));
            }
            System.gc();
        }
        assertTrue(timers.pending.get() <= made / 2, timers.pending + " of " + made + " are still to fire");
    }
}
