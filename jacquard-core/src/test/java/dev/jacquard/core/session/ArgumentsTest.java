package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.KernelParameter;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.SourceKernel;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tasks find what they are given by name, and what does not fit a kernel is refused. */
class ArgumentsTest {
    private static final Kernel AXPY = Kernel.named("axpy")
            .parameters(
                    KernelParameter.number("a", Double.class),
                    KernelParameter.data("x", DataType.FLOAT64).dimensions(1),
                    KernelParameter.data("y", DataType.FLOAT64).like("x"))
            .onHost(arguments -> {
                Memory x = arguments.memory("x");
                Memory y = arguments.memory("y");
                for (long i = 0; i < x.extent(0); i++) {
                    y.setDouble(i, y.getDouble(i) + arguments.number("a") * x.getDouble(i));
                }
            });

    private final Session session = Session.builder().workers(1).open();
    private final double[] v = {10, 20, 30};
    private final Data first = session.data().vector("u", new double[] {1, 2, 3});
    private final Data second = session.data().vector("v", v);

    @AfterEach
    void theSessionStillWorksAndCloses() {
        assertEquals(1, session.graph().task("last").call(context -> 1).join());
        session.close();
    }

    private static Throwable failure(Task<?> result) {
        return assertThrows(TaskFailedException.class, result::join);
    }

    private static void told(Session session) {
        session.graph().await();
    }

    @Test
    void aKernelFindsItsArgumentsByTheNamesOfItsParameters() {
        session.graph().task("axpy").reads(first).updates(second).run(AXPY, 2.0).join();
        session.graph()
                .task("part")
                .reads(first.rows(0, 1))
                .updates(second.rows(2, 3))
                .run(AXPY, 2.0)
                .join();
        assertEquals(12, v[0]);
        assertEquals(36 + 2, v[2]);
    }

    @Test
    void withoutParametersDataIsFoundByItsOwnName() {
        Kernel kernel = Kernel.named("first")
                .onHost(arguments ->
                        arguments.memory("v").setDouble(0, arguments.memory("u").getDouble(1)));
        session.graph().task("first").reads(first).updates(second).run(kernel).join();
        assertEquals(2, v[0]);
        Kernel asks = Kernel.named("asks").onHost(arguments -> arguments.number("a"));
        Task<?> task = session.graph().task("asks").reads(first).run(asks, 1);
        assertMentions(failure(task), "asks for number \"a\"", "names no parameters");
        told(session);
    }

    @Test
    void wrongKindsOfNamesSayWhichThereAre() {
        Kernel kernel = Kernel.named("wrong").parameters("a", "x").onHost(arguments -> arguments.number("x"));
        Task<?> task = session.graph().task("wrong").reads(first).run(kernel, 1);
        assertMentions(failure(task), "number \"x\"", "[a, x]", "the first 1 are numbers");
        kernel = Kernel.named("wrong").parameters("a", "x").onHost(arguments -> arguments.memory("a"));
        task = session.graph().task("wrong").reads(first).run(kernel, 1);
        assertMentions(failure(task), "data \"a\"", "[a, x]");
        kernel = Kernel.named("wrong").parameters("a", "x").onHost(arguments -> arguments.memory("z"));
        task = session.graph().task("wrong").reads(first).run(kernel, 1);
        assertMentions(failure(task), "data \"z\"", "it declared data \"u\"");
        told(session);
    }

    @Test
    void bodiesFindDataAndHandlesByName() {
        Handle<int[]> count = session.wrap("count", new int[] {5});
        int sum = session.graph()
                .task("sum")
                .reads(first.rows(1, 3))
                .reads(count)
                .call(context -> context.get("count", int[].class)[0]
                        + (int) context.memory("u").getDouble(0))
                .join();
        assertEquals(7, sum);
        try (UserView view = session.data().open(second, Mode.READ)) {
            assertEquals(20, view.memory("v").getDouble(1));
            assertThrows(IllegalArgumentException.class, () -> view.get("count", int[].class));
        }
        assertMentions(
                failure(session.graph().task("type").reads(count).run(context -> context.get("count", long[].class))),
                "as a long[]",
                "is a int[]");
        assertMentions(
                failure(session.graph().task("none").run(context -> context.memory("u"))),
                "asks for data \"u\"",
                "declared no access");
        told(session);
    }

    @Test
    void aCompiledTaskFindsHandlesByName() {
        Handle<int[]> count = session.wrap("count", new int[] {5});
        session.record(recorder ->
                        recorder.task("count").updates(count).run(context -> context.get("count", int[].class)[0]++))
                .run();
        assertEquals(6, count.value()[0]);
    }

    @Test
    void aNameForSeveralIsRefused() {
        Data other = session.data().vector("u", new double[4]);
        assertMentions(
                failure(session.graph().task("two").reads(first).reads(other).run(context -> context.memory("u"))),
                "several of that name",
                "u[0 until 3]",
                "u[0 until 4]");
        assertMentions(
                failure(session.graph()
                        .task("parts")
                        .reads(first.rows(0, 1))
                        .reads(first.rows(2, 3))
                        .run(context -> context.memory("u"))),
                "u[0 until 1]",
                "u[2 until 3]");
        told(session);
    }

    // ---- what does not fit

    private Throwable refused(Data x, Data y, Number... numbers) {
        return assertThrows(
                IllegalArgumentException.class,
                () -> session.graph().task("step").reads(x).updates(y).run(AXPY, numbers));
    }

    @Test
    void argumentsThatDoNotFitTheParametersAreRefusedAtSubmission() {
        Data longer = session.data().vector("w", new double[7]);
        assertMentions(
                refused(first, longer, 1.0),
                "task \"step\": kernel \"axpy\" takes \"y\" as large as \"x\"",
                "w (float64 x 7) is not as large as u (float64 x 3)",
                "parameters: a (Double), x (float64, 1 dimension), y (float64, as large as x)",
                "arguments:  1.0, u (float64 x 3), w (float64 x 7)");
        assertMentions(
                refused(session.data().vector("f", new float[3]), second, 1.0),
                "takes elements of type float64 as \"x\", and data \"f\" has float32");
        assertMentions(
                refused(session.data().matrix("m", new double[3], 1, 3), second, 1.0),
                "takes data of 1 dimensions as \"x\", and \"m\" has 2");
        assertMentions(refused(first, second, 1), "takes a Double as \"a\", not the Integer 1");
        assertMentions(refused(first, second), "takes 3 arguments, not 2");
        assertMentions(refused(first, second, 1.0, 2.0), "takes 3 arguments, not 4");
        Kernel two = Kernel.named("two")
                .parameters(KernelParameter.data("x"), KernelParameter.number("n"))
                .onHost(arguments -> {});
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> session.graph().task("two").reads(first).run(two, 3)),
                "takes data as \"x\", not the Integer 3");
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> session.graph()
                                .task("two")
                                .reads(first)
                                .updates(second)
                                .run(two)),
                "takes a number as \"n\", not data \"v\"");
    }

    @Test
    void parametersThatMakeNoSenseAreRefused() {
        Kernel kernel = Kernel.named("k");
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> kernel.parameters("a", "a")),
                "kernel \"k\" has two parameters \"a\"");
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> kernel.parameters(KernelParameter.data("a").like("b"), KernelParameter.data("b"))),
                "as large as \"b\", which is none before it");
        assertThrows(IllegalArgumentException.class, () -> kernel.parameters(" "));
    }

    @Test
    void aKernelPerElementWantsDataOfOneLength() {
        SourceKernel source = SourceKernel.perElement(new KernelSource(Language.OPENCL_C, "axpy.cl", "axpy", ""));
        try (Session device = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"))
                .open()) {
            Data x = device.data().vector("x", new double[3]);
            Data y = device.data().vector("y", new double[5]);
            Kernel kernel = Kernel.named("axpy").onDevice(ExecutionTarget.EMULATED, source);
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> device.graph()
                                    .task("step")
                                    .reads(x)
                                    .updates(y)
                                    .run(kernel, 1.0)),
                    "task \"step\": kernel \"axpy\" of axpy.cl",
                    "each element of y[0 until 5], 5 in all",
                    "x[0 until 3] has 3",
                    "anyLengths");
            Kernel any = Kernel.named("axpy").onDevice(ExecutionTarget.EMULATED, source.anyLengths());
            Task<?> task = device.graph().task("step").reads(x).updates(y).run(any, 1.0);
            assertMentions(failure(task), "axpy"); // emulated devices compile nothing
            told(device);
        }
    }
}
