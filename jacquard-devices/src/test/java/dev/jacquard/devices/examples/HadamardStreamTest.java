package dev.jacquard.devices.examples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.FlowGraph;
import dev.jacquard.flow.FlowRun;
import dev.jacquard.flow.FlowTask;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.SourceKernel;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * The product of two matrices, element by element, in blocks that stream through every device of the session within a
 * bound.
 */
@Timeout(180)
class HadamardStreamTest {
    private static final int BLOCKS = 40;
    private static final int ELEMENTS = 1_024;
    private static final int POOL = 4;

    private static final Kernel HADAMARD = Kernel.named("hadamard")
            .onDevice(ExecutionTarget.CUDA, SourceKernel.perElement(source(Language.CUDA, "hadamard.cu")))
            .onDevice(ExecutionTarget.OPENCL, SourceKernel.perElement(source(Language.OPENCL_C, "hadamard.cl")))
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("hadamard", launch -> {
                for (long i = 0; i < ELEMENTS; i++) {
                    double product = launch.memory(0).getAtIndex(ValueLayout.JAVA_DOUBLE, i)
                            * launch.memory(1).getAtIndex(ValueLayout.JAVA_DOUBLE, i);
                    launch.memory(2).setAtIndex(ValueLayout.JAVA_DOUBLE, i, product);
                }
            }))
            .onHost(arguments -> {
                Memory c = arguments.memory(2);
                for (long i = 0; i < ELEMENTS; i++) {
                    c.setDouble(
                            i,
                            arguments.memory(0).getDouble(i)
                                    * arguments.memory(1).getDouble(i));
                }
            });

    private static KernelSource source(Language language, String name) {
        return KernelSource.resource(language, HadamardStreamTest.class, name, "hadamard");
    }

    /** Two blocks that belong together. */
    private record Pair(int number, Handle<Data> a, Handle<Data> b) {}

    /** Their product. */
    private record Product(int number, Handle<Data> c) {}

    /** Copies blocks into lent memory. */
    private record Read(MemoryEdge<Data> blocks, double[] a, double[] b) implements Body<Integer, Pair> {
        @Override
        public void execute(Integer number, Emitter<Pair> out) {
            Pair pair = new Pair(number, out.take(blocks), out.take(blocks));
            read(a, number, pair.a().value(), out);
            read(b, number, pair.b().value(), out);
            out.emit(pair); // whoever accesses the blocks comes after
        }

        private static void read(double[] all, int number, Data into, Emitter<?> out) {
            out.graph().task("read").writes(into).run(ctx -> {
                MemorySegment memory = ctx.memory(into).segment();
                MemorySegment.copy(all, number * ELEMENTS, memory, ValueLayout.JAVA_DOUBLE, 0, ELEMENTS);
            });
        }
    }

    /** Multiplies on the device that its copy is bound to. */
    private record Multiply(MemoryEdge<Data> products) implements Body<Pair, Product> {
        @Override
        public void execute(Pair pair, Emitter<Product> out) {
            Handle<Data> c = out.take(products);
            out.graph()
                    .task("multiply")
                    .reads(pair.a().value())
                    .reads(pair.b().value())
                    .writes(c.value())
                    .run(HADAMARD);
            out.whenDone(then -> {
                then.release(pair.a());
                then.release(pair.b());
                then.emit(new Product(pair.number(), c));
            });
        }
    }

    /** Copies products out of lent memory. */
    private record Store(double[] c) implements Body<Product, Integer> {
        @Override
        public void execute(Product product, Emitter<Integer> out) {
            Data data = product.c().value();
            out.graph().task("store").reads(data).run(ctx -> {
                MemorySegment memory = ctx.memory(data).segment();
                MemorySegment.copy(memory, ValueLayout.JAVA_DOUBLE, 0, c, product.number() * ELEMENTS, ELEMENTS);
            });
            out.whenDone(then -> {
                then.release(product.c());
                then.emit(product.number());
            });
        }
    }

    private static void hadamard(Session session, double[] a, double[] b, double[] c) {
        ExecutionTarget[] devices = Stream.of(ExecutionTarget.CUDA, ExecutionTarget.OPENCL, ExecutionTarget.EMULATED)
                .flatMap(kind -> session.devices(kind).stream())
                .toArray(ExecutionTarget[]::new);
        FlowGraph<Integer, Integer> graph = FlowGraph.build("hadamard", g -> {
            Layout block = Layout.of(DataType.FLOAT64, ELEMENTS);
            MemoryEdge<Data> blocks = g.memory("blocks", 2 * POOL, block);
            MemoryEdge<Data> products = g.memory("products", POOL, block);
            FlowTask<Integer, Pair> read =
                    g.task("read", 1, () -> new Read(blocks, a, b)).takes(blocks, 2);
            FlowTask<Pair, Product> multiply = g.task(
                            "multiply", Math.max(1, devices.length), () -> new Multiply(products))
                    .takes(products)
                    .releases(blocks);
            if (devices.length > 0) {
                multiply.on(devices);
            }
            FlowTask<Product, Integer> store =
                    g.task("store", 1, () -> new Store(c)).releases(products);
            g.input().to(read).to(multiply).to(store).to(g.output());
        });
        graph.check().orThrow();
        try (FlowRun<Integer, Integer> run = graph.start(session)) {
            run.sendAll(IntStream.range(0, BLOCKS).boxed().toList());
            run.finish();
            run.forEach(number -> {}); // until the last is stored
        }
    }

    @TestFactory
    Stream<DynamicTest> runs() {
        return Everywhere.run(session -> {
            double[] a = new Random(1).doubles(BLOCKS * ELEMENTS).toArray();
            double[] b = new Random(2).doubles(BLOCKS * ELEMENTS).toArray();
            double[] c = new double[a.length];
            hadamard(session, a, b, c);
            double[] expected = new double[a.length];
            Arrays.setAll(expected, i -> a[i] * b[i]);
            assertArrayEquals(expected, c);
            for (Transfers.Used used : session.data().transfers().spaces()) {
                assertTrue(used.peak() <= 3 * POOL * ELEMENTS * 8L, () -> "more than the pools lend: " + used);
            }
        });
    }
}
