package dev.jacquard.bench.jmh;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.FlowTask;
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

/** What an item costs that is handed to a task and on to the next. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class FlowBenchmark {
    private static final int ITEMS = 1 << 15;

    /** Threads that run tasks, the sender included. */
    @Param({"1", "2"})
    public int workers;

    /** How many items may wait for the first task before the sender waits; 0: any number. */
    @Param({"0", "1024"})
    public int bound;

    private Session session = Session.builder().workers(1).open();
    private final FlowGraph<Integer, Integer> graph = FlowGraph.build("hand-off", g -> {
        FlowTask<Integer, Integer> first = g.task("first", 1, () -> (item, out) -> out.emit(item));
        FlowTask<Integer, Integer> second = g.task("second", 1, () -> (item, out) -> {});
        g.input().to(first).to(second).endsHere();
    });

    /** Opens the session in the thread that will send. */
    @Setup(Level.Trial)
    public void open() {
        session = Session.builder().workers(workers).open();
    }

    /** Ends the workers. */
    @TearDown(Level.Trial)
    public void close() {
        session.close();
    }

    /** Two edges per item: from the sender to the first task, and on to the second. */
    @Benchmark
    @OperationsPerInvocation(2 * ITEMS)
    public void handOff() throws InterruptedException {
        try (FlowRun<Integer, Integer> run =
                graph.start(session, FlowRun.Options.defaults().withInputBound(bound))) {
            Integer item = 1;
            for (int i = 0; i < ITEMS; i++) {
                run.send(item);
            }
            run.finish();
            run.await();
        }
    }
}
