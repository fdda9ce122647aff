package dev.jacquard.bench.jmh;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.depend.AccessTracker;
import dev.jacquard.memory.depend.AccessTracker.Dependents;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to meet a resource's tracker: edges are noted, not made. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class TrackerBenchmark {
    private static final int TASKS = 1 << 10;

    /** How many disjoint areas live side by side. */
    @Param({"4", "16", "64"})
    public int areas;

    private final Counter counter = new Counter();
    private final Object[] tasks = tasks();

    private static Object[] tasks() {
        Object[] tasks = new Object[TASKS];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = new Object();
        }
        return tasks;
    }

    /** Each drops the one before. */
    @Benchmark
    @OperationsPerInvocation(TASKS)
    public AccessTracker<Object> writers() {
        AccessTracker<Object> tracker = new AccessTracker<>();
        for (Object task : tasks) {
            tracker.submit(task, Access.update(), counter);
        }
        return tracker; // consumed, so that it is really filled
    }

    /** Three readers, then a writer that waits for them. */
    @Benchmark
    @OperationsPerInvocation(TASKS)
    public AccessTracker<Object> readersAndWriters() {
        AccessTracker<Object> tracker = new AccessTracker<>();
        for (int i = 0; i < tasks.length; i++) {
            tracker.submit(tasks[i], i % 4 == 3 ? Access.update() : Access.read(), counter);
        }
        return tracker; // consumed, so that it is really filled
    }

    /** Disjoint areas in turn: each meets all live ones. */
    @Benchmark
    @OperationsPerInvocation(TASKS)
    public AccessTracker<Object> disjointAreas() {
        AccessTracker<Object> tracker = new AccessTracker<>();
        Access[] ways = new Access[areas];
        for (int i = 0; i < areas; i++) {
            ways[i] = Access.update(Area.of(i, i));
        }
        for (int i = 0; i < tasks.length; i++) {
            tracker.submit(tasks[i], ways[i % areas], counter);
        }
        return tracker; // consumed, so that it is really filled
    }

    private static final class Counter implements Dependents<Object> {
        private @Nullable Object last;

        @Override
        public void link(Object earlier, Object later, boolean carriesFailure) {
            last = earlier; // a field of the benchmark's state: not optimised away
        }

        @Override
        public boolean isForgotten(Object earlier, boolean wrote) {
            return earlier == last;
        }
    }
}
