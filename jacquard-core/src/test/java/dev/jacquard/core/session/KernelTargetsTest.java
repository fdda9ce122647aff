package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.kernel.Kernel.HostBody;
import dev.jacquard.engine.schedule.Explanation;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.DeviceBody;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.KernelCompilationException;
import dev.jacquard.memory.device.KernelSource;
import dev.jacquard.memory.device.KernelSource.Language;
import dev.jacquard.memory.device.LaunchShape;
import dev.jacquard.memory.device.SourceKernel;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** On what a kernel runs, when it has implementations for several targets. */
class KernelTargetsTest {
    private static final KernelSource SOURCE = new KernelSource(Language.OPENCL_C, "twice.cl", "twice", "nonsense");

    private static final HostBody TWICE = arguments -> {
        Memory x = arguments.memory("x");
        for (long i = 0; i < x.extent(0); i++) {
            x.setDouble(i, arguments.number("a") * x.getDouble(i));
        }
    };

    private static Session session(String... devices) {
        return Session.builder().workers(2).devices(devices).open();
    }

    // ---- the host's implementation on emulated devices

    @Test
    void anEmulatedDeviceRunsTheHostsImplementationInPlaceOfAnotherDevices() {
        Kernel kernel = Kernel.named("twice")
                .parameters("a", "x")
                .onHost(TWICE)
                .onDevice(ExecutionTarget.OPENCL, SourceKernel.perElement(SOURCE));
        try (Session session = session("emulated0")) {
            double[] values = {1, 2, 3, 4};
            Data x = session.data().vector("x", values);
            session.graph().task("a").updates(x.rows(1, 3)).run(kernel, 2.0);
            session.graph().task("b").updates(x).run(kernel, 10.0);
            session.data().fetch(x);
            assertArrayEquals(new double[] {10, 40, 60, 40}, values);
            assertTrue(session.data().transfers().copies() > 0);
        }
    }

    @Test
    void aKernelForTheHostAloneRunsOnAnEmulatedDeviceWhereItsTaskIsForThat() {
        Kernel kernel = Kernel.named("twice").parameters("a", "x").onHost(TWICE);
        try (Session session = session("emulated0", "emulated1")) {
            double[] values = {1, 2};
            Data x = session.data().vector("x", values);
            session.graph().task("host").updates(x).run(kernel, 2.0).join();
            assertEquals(0, session.data().transfers().copies());
            session.graph().task("kind").on(ExecutionTarget.EMULATED).updates(x).run(kernel, 2.0);
            session.graph()
                    .task("device")
                    .on(ExecutionTarget.named("emulated1"))
                    .updates(x)
                    .run(kernel, 2.0)
                    .join();
            assertTrue(session.data().transfers().copies() > 0);
            session.data().fetch(x);
            assertArrayEquals(new double[] {8, 16}, values);
        }
    }

    @Test
    void itsOwnImplementationForEmulatedDevicesComesFirst() {
        Kernel kernel = Kernel.named("k")
                .onHost(arguments -> arguments.memory(0).setDouble(0, 1))
                .onDevice(
                        ExecutionTarget.EMULATED,
                        new EmulatedBody("k", launch -> launch.memory(0).set(ValueLayout.JAVA_DOUBLE, 0, 2)));
        try (Session session = session("emulated0")) {
            double[] values = {0};
            Data x = session.data().vector("x", values);
            session.graph().task("k").writes(x).run(kernel);
            session.data().fetch(x);
            assertEquals(2, values[0]);
        }
    }

    @Test
    void aKernelOnADeviceNeedsItsDataThere() {
        try (Session session = session("emulated0")) {
            Data x = session.data().vector("x", new double[1]);
            TaskBuilder builder = session.graph()
                    .task("t")
                    .on(ExecutionTarget.EMULATED)
                    .unstaged()
                    .updates(x);
            Kernel kernel = Kernel.named("k").onHost(arguments -> {});
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> builder.run(kernel)),
                    "task \"t\" runs kernel \"k\" on emulated0",
                    "leave out unstaged()");
        }
    }

    @Test
    void aKernelWithoutHostImplementationSaysForWhatItIs() {
        Kernel kernel = Kernel.named("k").onDevice(ExecutionTarget.OPENCL, SourceKernel.perElement(SOURCE));
        try (Session session = session("emulated0")) {
            Data x = session.data().vector("x", new double[1]);
            assertMentions(
                    assertThrows(
                            IllegalStateException.class,
                            () -> session.graph()
                                    .task("t")
                                    .on(ExecutionTarget.EMULATED)
                                    .updates(x)
                                    .run(kernel)),
                    "is implemented for [opencl]",
                    "not for emulated");
        }
    }

    // ---- several kinds of devices

    @Test
    void tasksGoToDevicesOfAllKindsThatTheKernelHas() {
        CountDownLatch placed = new CountDownLatch(1);
        // No device is idle again before all tasks have their places.
        EmulatedBody body = new EmulatedBody("k", launch -> placed.await());
        Kernel kernel = Kernel.named("k")
                .onHost(arguments -> {})
                .onDevice(ExecutionTarget.named("emulated0"), body) // two targets, as two kinds are
                .onDevice(ExecutionTarget.named("emulated1"), body);
        try (Session session = session("emulated0", "emulated1")) {
            for (int i = 0; i < 8; i++) {
                Data x = session.data().vector("x" + i, DataType.FLOAT64, 1000);
                session.graph().task("t" + i).writes(x).run(kernel);
            }
            placed.countDown();
            session.graph().await();
            List<Explanation> choices = session.placements();
            assertEquals(8, choices.size());
            assertEquals(
                    2,
                    choices.stream()
                            .map(Explanation::place)
                            .collect(Collectors.toSet())
                            .size(),
                    choices::toString);
        }
    }

    @Test
    void aTaskGoesWhereItFits() {
        Kernel kernel = Kernel.named("k").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("k", launch -> {}));
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("small").memory(1000))
                .device(EmulatedDevice.offer("large"))
                .open()) {
            Data x = session.data().vector("x", DataType.FLOAT64, 1000);
            session.graph().task("t").writes(x).run(kernel).join();
            assertTrue(
                    session.data().query(x).where().isNewestIn("large"),
                    session.data().query(x)::toString);
        }
    }

    // ---- kernels that do not compile

    @Test
    void aKernelThatDoesNotCompileFailsItsTaskAlsoWhereTheHostCould() {
        DeviceBody broken = work -> {
            throw new KernelCompilationException(SOURCE, "emulated0", "twice.cl:3: error: expected ';'");
        };
        Kernel kernel =
                Kernel.named("twice").onDevice(ExecutionTarget.EMULATED, broken).onHost(arguments -> {});
        try (Session session = session("emulated0", "emulated1")) {
            Data x = session.data().vector("x", new double[1]);
            Task<?> task = session.graph().task("t").updates(x).run(kernel);
            TaskFailedException failure = assertThrows(TaskFailedException.class, task::join);
            assertMentions(failure, "twice.cl:3: error: expected ';'", "\"t\"");
            assertTrue(session.data().faults().fallbacks().isEmpty());
            session.graph().await();
        }
    }

    // ---- what a device's body is told

    @Test
    void aBodyOnADeviceFindsItsArgumentsByName() {
        List<String> seen = new ArrayList<>(); // by the one task
        DeviceBody body = work -> {
            seen.add(work.number("a") + " " + work.index("x") + " " + work.index("v") + " " + work.layout("y"));
            seen.add(String.valueOf(work.buffer("x") == work.arguments().get(1)));
            seen.add(work.data(1).toString());
            seen.add(message(() -> work.index("z")));
            seen.add(message(() -> work.buffer("a")));
            seen.add(message(() -> work.number("y")));
            seen.add(message(() -> work.data(0)));
        };
        Kernel kernel = Kernel.named("k").parameters("a", "x", "y").onDevice(ExecutionTarget.EMULATED, body);
        try (Session session = session("emulated0")) {
            Data u = session.data().matrix("u", new float[6], 2, 3);
            Data v = session.data().vector("v", new long[5]);
            session.graph()
                    .task("t")
                    .reads(u.rows(1, 2))
                    .updates(v)
                    .run(kernel, 3)
                    .join();
        }
        assertEquals("3 1 2 int64 x 5", seen.get(0));
        assertEquals("true", seen.get(1));
        assertEquals("u[1 until 2, 0 until 3]", seen.get(2));
        assertTrue(seen.get(3).contains("0 arguments called \"z\""), seen::toString);
        assertTrue(seen.get(4).contains("a number as \"a\""), seen::toString);
        assertTrue(seen.get(5).contains("data as \"y\""), seen::toString);
        assertTrue(seen.get(6).contains("data at arguments 1 to 2"), seen::toString);
    }

    private static String message(Runnable asks) {
        return String.valueOf(assertThrows(RuntimeException.class, asks::run).getMessage());
    }

    @Test
    void aKernelPerElementOfAMatrixWantsOne() {
        SourceKernel source = SourceKernel.perElement2d(SOURCE);
        Kernel kernel = Kernel.named("k").onDevice(ExecutionTarget.EMULATED, source);
        Kernel over = Kernel.named("k").onDevice(ExecutionTarget.EMULATED, source.over("u"));
        try (Session session = session("emulated0")) {
            Data u = session.data().matrix("u", new int[6], 2, 3);
            Data v = session.data().vector("v", new double[6]);
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> session.graph().task("t").reads(u).updates(v).run(kernel)),
                    "twice.cl",
                    "v[0 until 6] has 1 dimensions");
            Task<?> task = session.graph().task("t").reads(v).updates(u).run(kernel);
            assertThrows(TaskFailedException.class, task::join); // emulated devices compile nothing
            task = session.graph().task("t").reads(u).updates(v).run(over);
            assertThrows(TaskFailedException.class, task::join);
            session.graph().await();
        }
        assertThrows(IllegalStateException.class, () -> new SourceKernel(SOURCE, work -> LaunchShape.of(1)).over("x"));
    }

    // ---- parts

    @Test
    void aPartIsFetchedAlone() {
        Kernel kernel = Kernel.named("twice").parameters("a", "x").onHost(TWICE);
        try (Session session = session("emulated0")) {
            double[] values = {1, 2, 3};
            Data x = session.data().vector("x", values);
            session.graph().task("t").on(ExecutionTarget.EMULATED).updates(x).run(kernel, 2.0);
            long before = session.data().transfers().bytes();
            session.data().fetch(x.rows(1, 2));
            assertEquals(4, values[1]);
            assertEquals(1, values[0]);
            assertTrue(session.data().transfers().bytes() - before <= 8 + 24, "one element came back");
        }
    }

    @Test
    void elementsOfMatricesOfEveryType() {
        try (Session session = session()) {
            Data f = session.data().matrix("f", new float[4], 2, 2);
            Data l = session.data().matrix("l", new long[4], 2, 2);
            Data i = session.data().matrix("i", new int[4], 2, 2);
            double sum = session.graph()
                    .task("t")
                    .updates(f)
                    .updates(l)
                    .updates(i)
                    .call(context -> {
                        context.memory(f).setFloat(1, 0, 1.5f);
                        context.memory(f).addFloat(1, 0, 1);
                        context.memory(l).setLong(1, 1, 10);
                        context.memory(i).setInt(0, 1, 100);
                        context.memory(i).addInt(0, 1, 100);
                        return context.memory(f).getFloat(1, 0)
                                + context.memory(l).getLong(1, 1)
                                + context.memory(i).getInt(0, 1);
                    })
                    .join();
            assertEquals(212.5, sum);
        }
    }

    @Test
    void aDeviceFailureStillFallsBack() {
        DeviceBody refuses = work -> {
            throw new DeviceException("no");
        };
        Kernel kernel = Kernel.named("twice")
                .parameters("a", "x")
                .onDevice(ExecutionTarget.EMULATED, refuses)
                .onHost(TWICE);
        try (Session session = session("emulated0")) {
            double[] values = {4};
            Data x = session.data().vector("x", values);
            session.graph().task("t").updates(x).run(kernel, 2.0).join();
            assertEquals(8, values[0]);
        }
    }
}
