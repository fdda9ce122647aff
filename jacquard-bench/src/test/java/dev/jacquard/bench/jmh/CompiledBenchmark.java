package dev.jacquard.bench.jmh;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.session.Session;
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

/**
 * What an empty task of a compiled graph costs per run. The thread that measures is one of the workers. On a machine
 * that has other work, {@code -bm sample} shows the undisturbed runs.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class CompiledBenchmark {
    private static final int TASKS = 1 << 16;
    private static final int SIDE = 1 << 8;

    /** Threads that run tasks, the one that measures included. */
    @Param({"1", "2"})
    public int workers;

    /** How the tasks depend on each other. */
    @Param
    public Shape shape = Shape.CHAIN;

    private Session session = Session.builder().workers(1).open();
    private CompiledGraph graph = session.compile("none").build();

    /** The edges into a task. */
    public enum Shape {
        /** Each waits for the one before. */
        CHAIN {
            @Override
            void edgesInto(int task, CompiledGraphBuilder builder) {
                link(builder, task > 0, task - 1, task);
            }
        },
        /** Each lets two others go. */
        BINARY_TREE {
            @Override
            void edgesInto(int task, CompiledGraphBuilder builder) {
                link(builder, task > 0, (task - 1) / 2, task);
            }
        },
        /** A square, each waits for the one above and the one to the left. */
        WAVEFRONT {
            @Override
            void edgesInto(int task, CompiledGraphBuilder builder) {
                link(builder, task >= SIDE, task - SIDE, task);
                link(builder, task % SIDE > 0, task - 1, task);
            }
        },
        /** None waits for any. */
        INDEPENDENT {
            @Override
            void edgesInto(int task, CompiledGraphBuilder builder) {}
        },
        /** All but the last are independent, and that waits for all. */
        JOIN {
            @Override
            void edgesInto(int task, CompiledGraphBuilder builder) {
                for (int earlier = 0; task == TASKS - 1 && earlier < task; earlier++) {
                    link(builder, true, earlier, task);
                }
            }
        },
        /** Steps of 2: each waits for itself and its neighbour in the step before. */
        STENCIL_2 {
            @Override
            void edgesInto(int task, CompiledGraphBuilder builder) {
                stencil(2, task, builder);
            }
        },
        /** Steps of 8: each waits for itself and its two neighbours in the step before. */
        STENCIL_8 {
            @Override
            void edgesInto(int task, CompiledGraphBuilder builder) {
                stencil(8, task, builder);
            }
        };

        abstract void edgesInto(int task, CompiledGraphBuilder builder);

        private static void stencil(int width, int task, CompiledGraphBuilder builder) {
            int point = task % width;
            link(builder, task >= width && point > 0, task - width - 1, task);
            link(builder, task >= width, task - width, task);
            link(builder, task >= width && point < width - 1, task - width + 1, task);
        }

        private static void link(CompiledGraphBuilder builder, boolean exists, int earlier, int later) {
            if (exists) {
                builder.edge(earlier, later, true);
            }
        }
    }

    /** Opens the session in the thread that will run the graph, and freezes that. */
    @Setup(Level.Trial)
    public void open() {
        session = Session.builder().workers(workers).open();
        CompiledGraphBuilder builder = session.compile(shape.name());
        for (int task = 0; task < TASKS; task++) {
            builder.task("task", context -> {});
            shape.edgesInto(task, builder);
        }
        graph = builder.build();
    }

    /** Ends the workers. */
    @TearDown(Level.Trial)
    public void close() {
        session.close();
    }

    /** One run. */
    @Benchmark
    @OperationsPerInvocation(TASKS)
    public void run() {
        graph.run();
    }
}
