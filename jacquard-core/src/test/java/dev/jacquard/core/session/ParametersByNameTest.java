package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskGroup;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.Kernel.HostBody;
import dev.jacquard.core.kernel.KernelParameter;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.SourceKernel;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Data is bound to the parameters of a kernel by its names where all of them decide, and else in order. */
class ParametersByNameTest {
    private static final HostBody BODY =
            arguments -> axpy(arguments.number("a"), arguments.memory("x"), arguments.memory("y"));
    private static final HostBody BY_NUMBERS =
            arguments -> axpy(arguments.number(0), arguments.memory(1), arguments.memory(2));
    private static final Kernel AXPY =
            Kernel.named("axpy").parameters("a", "x", "y").onHost(BODY);
    private static final Kernel STRICT = Kernel.named("axpy")
            .parameters(
                    KernelParameter.number("a"),
                    KernelParameter.data("x").read(),
                    KernelParameter.data("y").update())
            .onHost(BODY);

    private final Session session =
            Session.builder().workers(1).devices("emulated0").open();
    private final double[] xs = {1, 2, 3};
    private final double[] ys = {10, 20, 30};
    private final Data x = session.data().vector("x", xs);
    private final Data y = session.data().vector("y", ys);

    private static void axpy(double a, Memory x, Memory y) {
        for (long i = 0; i < x.extent(0); i++) {
            y.setDouble(i, y.getDouble(i) + a * x.getDouble(i));
        }
    }

    @AfterEach
    void theSessionCloses() {
        session.graph().await();
        session.close();
    }

    private TaskBuilder task() {
        return session.graph().task("step");
    }

    private void assertAdded() {
        session.data().fetch(x);
        session.data().fetch(y);
        assertArrayEquals(new double[] {1, 2, 3}, xs);
        assertArrayEquals(new double[] {12, 24, 36}, ys);
    }

    // ---- names decide

    @Test
    void theOrderOfAccessesDoesNotMatterWhereAllNamesAreThoseOfParameters() {
        task().updates(y).reads(x).run(AXPY, 2.0).join();
        assertAdded();
    }

    @Test
    void soItIsForBodiesThatCountArguments() {
        Kernel kernel = Kernel.named("axpy").parameters("a", "x", "y").onHost(BY_NUMBERS);
        task().updates(y).reads(x).run(kernel, 2.0).join();
        assertAdded();
    }

    @Test
    void soItIsOnDevices() {
        for (Kernel kernel : new Kernel[] {
            AXPY,
            Kernel.named("axpy").parameters("a", "x", "y").onHost(BY_NUMBERS),
            Kernel.named("axpy")
                    .parameters("a", "x", "y")
                    .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("axpy", launch -> {
                        MemorySegment from = launch.memory(1);
                        MemorySegment to = launch.memory(2);
                        for (long i = 0; i < 3; i++) {
                            double sum = to.getAtIndex(ValueLayout.JAVA_DOUBLE, i)
                                    + launch.doubleAt(0) * from.getAtIndex(ValueLayout.JAVA_DOUBLE, i);
                            to.setAtIndex(ValueLayout.JAVA_DOUBLE, i, sum);
                        }
                    }))
        }) {
            double[] target = {10, 20, 30};
            Data other = session.data().vector("y", target);
            task().on(ExecutionTarget.EMULATED)
                    .updates(other)
                    .reads(x)
                    .run(kernel, 2.0)
                    .join();
            session.data().fetch(other);
            assertArrayEquals(new double[] {12, 24, 36}, target);
        }
    }

    @Test
    void aDeviceBodyGetsItsArgumentsInTheOrderOfTheParameters() {
        List<String> seen = new ArrayList<>(); // by the one task
        Kernel kernel = Kernel.named("k").parameters("a", "x", "y").onDevice(ExecutionTarget.EMULATED, work -> {
            seen.add(work.data(1) + " " + work.data(2) + " " + work.index("x") + " " + work.index("y") + " "
                    + work.items());
            seen.add("" + (work.buffer("x") == work.arguments().get(1)));
        });
        task().updates(y.rows(0, 2)).reads(x).run(kernel, 1).join();
        assertEquals(List.of("x[0 until 3] y[0 until 2] 1 2 2", "true"), seen);
    }

    @Test
    void theTypesOfASourceAreHeldAgainstTheBoundOrder() {
        Data counts = session.data().vector("n", new int[] {4, 5, 6});
        KernelSource source = new KernelSource(Language.OPENCL_C, "k.cl", "k", """
                kernel void k(global const int* n, global double* y, long items) {
                    if (get_global_id(0) < items) y[get_global_id(0)] = n[get_global_id(0)];
                }
                """);
        Kernel kernel = Kernel.named("k")
                .parameters("n", "y")
                .onHost(arguments ->
                        arguments.memory("y").setDouble(0, arguments.memory("n").getInt(1)))
                .onDevice(ExecutionTarget.OPENCL, SourceKernel.perElement(source));
        task().writes(y).reads(counts).run(kernel).join();
        session.data().fetch(y);
        assertEquals(5, ys[0]);
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> task().writes(x).reads(counts).run(kernel)),
                "const int* n",
                "data of float64");
    }

    @Test
    void partsHaveTheNameOfTheirData() {
        task().updates(y.rows(1, 3)).reads(x.rows(0, 2)).run(AXPY, 2.0).join();
        assertArrayEquals(new double[] {10, 22, 34}, ys);
    }

    @Test
    void otherResourcesAndTagsAmongTheAccessesStayWhereTheyAre() {
        Handle<int[]> handle = session.wrap("x", new int[1]);
        task().updates(y).updates(handle).tag("x").reads(x).run(AXPY, 2.0).join();
        assertAdded();
        assertEquals(
                1,
                session.graph()
                        .task("next")
                        .afterTag("x")
                        .updates(handle)
                        .call(any -> 1)
                        .join());
    }

    @Test
    void recordedAndGroupedTasksAreBoundAlike() {
        CompiledGraph graph =
                session.record(tasks -> tasks.task("step").updates(y).reads(x).run(AXPY, 1.0));
        graph.run();
        graph.run();
        assertAdded();
        TaskGroup group = session.graph().group();
        group.task("step").updates(y).reads(x).run(AXPY, -2.0);
        session.graph().await();
        assertArrayEquals(new double[] {10, 20, 30}, ys);
    }

    @Test
    void subTasksAreBoundAlike() {
        session.graph()
                .task("outer")
                .updates(y)
                .reads(x)
                .run(context -> context.refine(
                        sub -> sub.task("step").updates(y).reads(x).run(AXPY, 2.0)))
                .join();
        assertAdded();
    }

    // ---- order decides

    @Test
    void orderDecidesWhereANameIsNoParameters() {
        Data v = session.data().vector("v", ys);
        task().reads(x).updates(v).run(AXPY, 2.0).join();
        assertArrayEquals(new double[] {12, 24, 36}, ys);
        task().reads(v).updates(x).run(AXPY, 1.0).join(); // the data x is the parameter y
        assertArrayEquals(new double[] {13, 26, 39}, xs);
    }

    @Test
    void orderDecidesWhereANameIsThatOfANumber() {
        Data a = session.data().vector("a", new double[] {1, 1, 1});
        task().reads(a).updates(x).run(AXPY, 1.0).join();
        assertArrayEquals(new double[] {2, 3, 4}, xs);
    }

    @Test
    void orderDecidesAmongPartsOfOneDataAndDataOfOneName() {
        task().reads(y.rows(2, 3)).updates(y.rows(0, 1)).run(AXPY, 1.0).join();
        assertArrayEquals(new double[] {40, 20, 30}, ys);
        Data second = session.data().vector("y", xs);
        task().reads(y).updates(second).run(AXPY, 1.0).join();
        assertArrayEquals(new double[] {41, 22, 33}, xs);
    }

    @Test
    void aMissingNumberIsRefused() {
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> task().updates(y).reads(x).run(AXPY)),
                "takes 3 arguments, not 2");
        Data z = session.data().vector("z", new double[3]);
        Kernel number = Kernel.named("k")
                .parameters(KernelParameter.number("a"), KernelParameter.data("x"), KernelParameter.data("y"))
                .onHost(BODY);
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> task().updates(y).reads(x).reads(z).run(number)),
                "takes a number as \"a\", not data \"y\"");
    }

    // ---- modes

    @Test
    void anAccessOfTheStatedModeIsAccepted() {
        task().updates(y).reads(x).run(STRICT, 2.0).join();
        assertAdded();
        Data v = session.data().vector("v", ys);
        task().reads(x.rows(0, 1)).updates(v.rows(0, 1)).run(STRICT, 1.0).join();
        assertArrayEquals(new double[] {13, 24, 36}, ys);
    }

    @Test
    void anotherAccessIsRefusedAndNamesParameterModeDataAndAccess() {
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> task().updates(x).reads(y).run(STRICT, 2.0)),
                "task \"step\": kernel \"axpy\" accesses \"x\" by READ, and the task declares UPDATE of data \"x\" for it: declare READ",
                "parameters: a (number), x (data, by READ), y (data, by UPDATE)");
        Data v = session.data().vector("v", ys);
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> task().updates(v.rows(0, 1)).reads(x.rows(0, 1)).run(STRICT, 2.0)),
                "accesses \"x\" by READ",
                "UPDATE",
                "of data \"v\" for it");
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> task().reads(x).writes(y).run(STRICT, 2.0)),
                "accesses \"y\" by UPDATE, and the task declares WRITE of data \"y\"");
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> session.record(
                                tasks -> tasks.task("step").reads(x).adds(y).run(STRICT, 2.0))),
                "declares ADD of data \"y\"");
        assertArrayEquals(new double[] {1, 2, 3}, xs);
        assertArrayEquals(new double[] {10, 20, 30}, ys);
    }

    @Test
    void everyModeCanBeStated() {
        Kernel nothing = Kernel.named("nothing")
                .parameters(
                        KernelParameter.data("w").write(),
                        KernelParameter.data("s").add(),
                        KernelParameter.data("p").mul())
                .onHost(arguments -> {});
        Data w = session.data().vector("w", new double[1]);
        Data s = session.data().vector("s", new double[1]);
        Data p = session.data().vector("p", new double[1]);
        task().accesses(p, Access.mul()).adds(s).writes(w).run(nothing).join();
    }

    @Test
    void onlyDataHasAMode() {
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> KernelParameter.number("a").read()),
                "parameter \"a\"",
                "Parameter.data(\"a\")");
        assertThrows(
                IllegalArgumentException.class, () -> KernelParameter.any("a").write());
    }
}
