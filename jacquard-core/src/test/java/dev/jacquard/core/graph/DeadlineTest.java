package dev.jacquard.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.engine.work.Dispatcher.Timer;
import dev.jacquard.engine.work.Node;
import dev.jacquard.testkit.LiveObjects;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The timers of deadlines, which must not pile up. */
class DeadlineTest {
    private static final long HOUR = Duration.ofHours(1).toNanos();

    /** Keeps timers, and runs no tasks. */
    private static final class KeptTimers implements Dispatcher {
        private final Map<Runnable, Long> pending = new HashMap<>();
        private long now;
        private final Trace trace = new Trace(() -> now, 0);

        @Override
        public int workers() {
            return 1;
        }

        @Override
        public void ready(Node node) {}

        @Override
        public void awaitUntil(BooleanSupplier done) {}

        @Override
        public void signal() {}

        @Override
        public Timer scheduleOnTimer(long nanosFromNow, Runnable action) {
            pending.put(action, now + nanosFromNow);
            return () -> pending.remove(action) != null;
        }

        @Override
        public Clock clock() {
            return () -> now;
        }

        @Override
        public Trace trace() {
            return trace;
        }

        void goTo(long nanos) {
            now = nanos;
            List<Runnable> due = pending.entrySet().stream()
                    .filter(timer -> timer.getValue() <= now)
                    .map(Map.Entry::getKey)
                    .toList();
            due.forEach(timer -> {
                pending.remove(timer);
                timer.run();
            });
        }
    }

    private final KeptTimers timers = new KeptTimers();
    private final DependencyDomain domain = new DependencyDomain(this, timers, DependencyDomain.Options.NONE);

    private TaskGraph graph() {
        return new TaskGraph("request", domain, FailurePolicy.CONTINUE);
    }

    @Test
    void theDeadlinesOfGraphsThatAreGoneAreCancelled() {
        int made = 0;
        for (int round = 0; round < 50 && (round < 10 || timers.pending.size() > made / 2); round++) {
            for (int i = 0; i < 200; i++, made++) {
                graph().deadline(Duration.ofHours(1));
            }
            System.gc();
        }
        assertTrue(timers.pending.size() <= made / 2, timers.pending.size() + " of " + made + " are still to fire");
    }

    @Test
    void aGraphHasOneTimerForAllItsDeadlines() {
        TaskGraph graph = graph();
        for (int step = 0; step < 100; step++) {
            graph.deadline(Duration.ofHours(100 - step % 10));
            assertEquals(1, timers.pending.size());
        }
    }

    @Test
    void deadlinesThatHavePassedAreGone() {
        TaskGraph graph = graph();
        for (int step = 0; step < 100; step++) {
            graph.deadline(Duration.ofHours(1));
            timers.goTo(step * HOUR / 10);
        }
        assertEquals(1, timers.pending.size());
        timers.goTo(100 * HOUR);
        assertEquals(Map.of(), timers.pending);
        assertFalse(graph.isCancelled());
    }

    @Test
    void deadlinesOfACancelledGraphAreGone() {
        TaskGraph graph = graph();
        graph.deadline(Duration.ofHours(1));
        graph.cancel();
        graph.deadline(Duration.ofHours(1));
        assertEquals(Map.of(), timers.pending);
    }

    @Test
    void deadlinesOfManyShortStepsAreKeptTogether() {
        TaskGraph graph = graph();
        int steps = 100_000;
        long kept = LiveObjects.bytesKeptBy(() -> {
            for (int step = 0; step < steps; step++) {
                graph.deadline(Duration.ofHours(1));
                timers.now += 1_000;
            }
        });
        assertTrue(kept < 2L * steps, kept + " bytes are kept for " + steps + " deadlines within a tenth of a second");
        assertFalse(graph.isCancelled());
    }

    @Test
    void eachDeadlineCountsThoughOneTimerIsThereForAll() {
        for (int late = 0; late < 5; late++) {
            TaskGraph graph = graph();
            for (int deadline = 5; deadline >= 1; deadline--) {
                graph.deadline(Duration.ofHours(deadline));
            }
            long begin = timers.now;
            timers.goTo(begin + late * HOUR);
            assertFalse(graph.isCancelled());
            graph.task("never over").run(context -> {});
            timers.goTo(begin + late * HOUR + HOUR - 1);
            assertFalse(graph.isCancelled());
            timers.goTo(begin + (late + 1) * HOUR);
            assertTrue(graph.isCancelled());
            assertEquals(
                    "its deadline of " + (late + 1) + "h passed", graph.why().replace(", since ", ""));
            assertEquals(Map.of(), timers.pending);
        }
    }

    @Test
    void aDeadlineOfOneStepIsNotForgottenForThoseOfLaterSteps() {
        TaskGraph graph = graph();
        graph.task("never over").run(context -> {});
        for (int step = 0; step < 100; step++) {
            graph.deadline(Duration.ofMillis(10));
            timers.goTo(timers.now + 100_000);
        }
        timers.goTo(timers.now + 1_100_000);
        assertTrue(graph.isCancelled());
        assertThrows(DeadlineException.class, graph::await);
    }
}
