package dev.jacquard.devices.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowPipeline;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.FlowTask;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.pipeline.Distribution;
import dev.jacquard.flow.report.PipelineBalance;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.SourceKernel;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** A graph that squares numbers in data, in one copy per device of the session. */
@Timeout(180)
class PipelineStreamTest {
    private static final int ITEMS = 40;
    private static final int ELEMENTS = 1_024;

    private static final Kernel HADAMARD = Kernel.named("hadamard")
            .parameters("a", "b", "c")
            .onDevice(ExecutionTarget.CUDA, SourceKernel.perElement(source(Language.CUDA, "hadamard.cu")))
            .onDevice(ExecutionTarget.OPENCL, SourceKernel.perElement(source(Language.OPENCL_C, "hadamard.cl")))
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("hadamard", launch -> {
                for (long i = 0; i < ELEMENTS; i++) {
                    double product = launch.memory(0).getAtIndex(ValueLayout.JAVA_DOUBLE, i)
                            * launch.memory(1).getAtIndex(ValueLayout.JAVA_DOUBLE, i);
                    launch.memory(2).setAtIndex(ValueLayout.JAVA_DOUBLE, i, product);
                }
            }))
            .onHost(given -> {
                Memory c = given.memory("c");
                for (long i = 0; i < ELEMENTS; i++) {
                    c.setDouble(
                            i,
                            given.memory("a").getDouble(i) * given.memory("b").getDouble(i));
                }
            });

    private static KernelSource source(Language language, String name) {
        return KernelSource.resource(language, PipelineStreamTest.class, name, "hadamard");
    }

    /** A number and its square. */
    private record Square(int number, double square) {}

    /** Fills one buffer with the number, multiplies it with itself into another, and reads that. */
    private record Squaring(MemoryEdge<Data> blocks) implements Body<Integer, Square> {
        @Override
        public void execute(Integer number, Emitter<Square> out) {
            Handle<Data> from = out.take(blocks);
            Handle<Data> to = out.take(blocks);
            double[] read = new double[1];
            out.graph().task("fill").writes(from.value()).run(ctx -> {
                for (long i = 0; i < ELEMENTS; i++) {
                    ctx.memory(from.value()).setDouble(i, number);
                }
            });
            out.graph()
                    .task("square")
                    .reads(from.value())
                    .reads(from.value())
                    .writes(to.value())
                    .run(HADAMARD);
            out.graph()
                    .task("read")
                    .reads(to.value())
                    .run(ctx -> read[0] = ctx.memory(to.value()).getDouble(ELEMENTS - 1));
            out.whenDone(then -> {
                then.release(from);
                then.release(to);
                then.emit(new Square(number, read[0]));
            });
        }
    }

    @TestFactory
    Stream<DynamicTest> runs() {
        return Everywhere.run(session -> {
            FlowGraph<Integer, Square> inner = FlowGraph.build("inner", g -> {
                MemoryEdge<Data> blocks = g.memory("blocks", 4, Layout.of(DataType.FLOAT64, ELEMENTS));
                FlowTask<Integer, Square> square = g.task("square", 1, () -> new Squaring(blocks));
                g.input().to(square.takes(blocks, 2).releases(blocks)).to(g.output());
            });
            ExecutionTarget[] devices = Stream.of(
                            ExecutionTarget.CUDA, ExecutionTarget.OPENCL, ExecutionTarget.EMULATED)
                    .flatMap(kind -> session.devices(kind).stream())
                    .toArray(ExecutionTarget[]::new);
            FlowGraph<Integer, Square> graph = FlowGraph.build("squares", g -> {
                FlowPipeline<Integer, Square> pipeline =
                        devices.length == 0 ? g.pipeline("pipe", inner, 2) : g.pipeline("pipe", inner, devices);
                g.input().to(pipeline.distribute(Distribution.leastLoaded())).to(g.output());
            });
            graph.check(session).orThrow();
            check(session, graph, Math.max(2, devices.length), devices.length);
        });
    }

    private static void check(Session session, FlowGraph<Integer, Square> graph, int most, int devices) {
        try (FlowRun<Integer, Square> run = graph.start(session)) {
            run.sendAll(IntStream.range(0, ITEMS).boxed().toList());
            run.finish();
            Map<Integer, Double> squares = new TreeMap<>();
            run.forEach(square -> squares.put(square.number(), square.square()));
            Map<Integer, Double> expected = new TreeMap<>();
            for (int number = 0; number < ITEMS; number++) {
                expected.put(number, (double) number * number);
            }
            assertEquals(expected, squares);
            PipelineBalance balance = run.profile().pipelines().getFirst();
            assertEquals(devices == 0 ? most : devices, balance.copies().size());
            assertEquals(
                    ITEMS,
                    balance.copies().stream()
                            .mapToLong(PipelineBalance.Copy::items)
                            .sum());
        }
    }
}
