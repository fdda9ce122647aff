package dev.jacquard.bench.jmh;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.depend.AccessTracker;
import dev.jacquard.memory.depend.AccessTracker.Dependents;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to meet a tracker of many live areas: windows of 8 × 8 move over a field, six further each time, so
 * that each overlaps up to four live ones. The oldest task ends with each submission. Edges are counted, not made.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class WindowsBenchmark {
    /** How many tasks are alive. */
    @Param({"10", "1000", "10000", "100000"})
    public int live;

    private AccessTracker<Task> tracker = new AccessTracker<>();
    private Access[] windows = {};
    private Task[] tasks = {};
    private final Counter counter = new Counter();
    private int next;

    /** Fills the field. */
    @Setup
    public void fill() {
        tracker = new AccessTracker<>();
        windows = new Access[2 * live];
        tasks = new Task[live];
        int columns = Math.max(4, (int) Math.sqrt(live));
        for (int i = 0; i < windows.length; i++) {
            long x = 6L * (i % columns);
            long y = 6L * (i / columns);
            windows[i] = Access.update(Area.of(x, x + 7, y, y + 7));
        }
        for (int i = 0; i < live; i++) {
            tasks[i] = new Task();
            tracker.submit(tasks[i], windows[i], counter);
        }
        next = live;
    }

    /** One window. */
    @Benchmark
    public long window() {
        int at = next;
        next = (at + 1) % windows.length;
        tasks[at % live].over = true;
        Task task = new Task();
        tasks[at % live] = task;
        tracker.submit(task, windows[at], counter);
        return counter.links;
    }

    private static final class Task {
        boolean over;
    }

    private static final class Counter implements Dependents<Task> {
        private long links;

        @Override
        public void link(Task earlier, Task later, boolean carriesFailure) {
            links++;
        }

        @Override
        public boolean isForgotten(Task earlier, boolean wrote) {
            return earlier.over;
        }
    }
}
