package dev.jacquard.bench.jmh;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Resource;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What an empty task costs from its submission to its end. The thread that measures is one of the workers. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class TaskBenchmark {
    private static final int TASKS = 1 << 14;
    private static final int HANDLES = 1 << 10;

    /** Threads that run tasks, the submitter included. */
    @Param({"1", "2"})
    public int workers;

    private final Resource[] handles = new Resource[HANDLES];
    private Session session = Session.builder().workers(1).open();

    /** Opens the session in the thread that will submit. */
    @Setup(Level.Trial)
    public void open() {
        session = Session.builder().workers(workers).open();
        for (int i = 0; i < HANDLES; i++) {
            handles[i] = session.resource("cell");
        }
    }

    /** Ends the workers. */
    @TearDown(Level.Trial)
    public void close() {
        session.close();
    }

    /** All on one handle: each waits for the one before. */
    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void chain() {
        run(1);
    }

    /** On 1,024 handles in turn. */
    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void independent() {
        run(HANDLES);
    }

    /** The floor of the above: tasks without any access. */
    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void withoutAccess() {
        TaskGraph graph = session.graph("bench", FailurePolicy.CONTINUE);
        for (int task = 0; task < TASKS; task++) {
            graph.task("task").run(ctx -> {});
        }
        graph.await();
    }

    private void run(int cells) {
        TaskGraph graph = session.graph("bench", FailurePolicy.CONTINUE);
        for (int task = 0; task < TASKS; task++) {
            graph.task("task").updates(handles[task % cells]).run(ctx -> {});
        }
        graph.await();
    }
}
