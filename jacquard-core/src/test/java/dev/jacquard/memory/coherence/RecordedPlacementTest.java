package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.schedule.Explanation;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The places of kernels that are recorded for a compiled graph: by the work of the recording so far. */
@Timeout(120)
class RecordedPlacementTest {
    private static final int LENGTH = 1000;
    private static final double MILLISECOND = 1e6;

    /** Adds 1 to the first element. */
    private final Kernel add = Kernel.named("add")
            .onHost(its -> {
                Memory x = its.memory(0);
                x.setDouble(0, x.getDouble(0) + 1);
            })
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("add", launch -> {
                MemorySegment x = launch.memory(0);
                x.set(ValueLayout.JAVA_DOUBLE, 0, x.get(ValueLayout.JAVA_DOUBLE, 0) + 1);
            }));

    private final List<double[]> arrays = new ArrayList<>();

    private static Session session(String policy) {
        return Session.builder()
                .workers(2)
                .policy(Policies.named(policy))
                .device(EmulatedDevice.offer("emulated0"))
                .device(EmulatedDevice.offer("emulated1"))
                .open();
    }

    private static void learn(Session session, String kernel, double host, double... devices) {
        Dispatcher dispatcher = (Dispatcher) session.executor();
        TimeModel times = dispatcher.times();
        for (int run = 0; run < 3; run++) {
            times.add(kernel, Place.HOST, 8 * LENGTH, host);
            for (int i = 0; i < devices.length; i++) {
                Place device = dispatcher.place(ExecutionTarget.named("emulated" + i));
                times.add(kernel, Objects.requireNonNull(device), 8 * LENGTH, devices[i]);
            }
        }
    }

    private List<Data> data(Session session, int count) {
        List<Data> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            arrays.add(new double[LENGTH]);
            all.add(session.data().vector("x" + i, arrays.getLast()));
        }
        return all;
    }

    private static List<String> places(Session session) {
        return session.placements().stream()
                .map(Explanation::place)
                .filter(place -> !place.startsWith("worker "))
                .toList();
    }

    private static long count(List<String> places, String place) {
        return places.stream().filter(place::equals).count();
    }

    private void requireFirst(double expected) {
        double[] first = arrays.stream().mapToDouble(array -> array[0]).toArray();
        double[] all = new double[first.length];
        Arrays.fill(all, expected);
        assertArrayEquals(all, first);
    }

    @Test
    void independentKernelsAreSpreadByTheirTimes() {
        try (Session session = session("stealing")) {
            learn(session, "add", MILLISECOND, 40 * MILLISECOND, 10 * MILLISECOND);
            List<Data> all = data(session, 20);
            CompiledGraph graph = session.record(
                    tasks -> all.forEach(x -> tasks.task("add").updates(x).run(add)));
            List<String> places = places(session);
            assertEquals(4, count(places, "emulated0"), places::toString);
            assertEquals(16, count(places, "emulated1"), places::toString);
            graph.run();
            graph.run();
        }
        requireFirst(2);
    }

    @Test
    void theHostGetsItsShare() {
        try (Session session = session("earliest-finish")) {
            learn(session, "add", 400 * MILLISECOND, 100 * MILLISECOND, 100 * MILLISECOND);
            List<Data> all = data(session, 20);
            CompiledGraph graph = session.record(
                    tasks -> all.forEach(x -> tasks.task("add").updates(x).run(add)));
            List<String> places = places(session);
            assertEquals(4, count(places, "host"), places::toString);
            assertEquals(8, count(places, "emulated0"), places::toString);
            graph.run();
            graph.run();
        }
        requireFirst(2);
    }

    /** The data of a chain is where its last task is recorded for. */
    @Test
    void chainsStayWhereTheyBegin() {
        try (Session session = session("stealing")) {
            learn(session, "add", MILLISECOND, MILLISECOND, MILLISECOND);
            List<Data> all = data(session, 2);
            CompiledGraph graph = session.record(tasks -> {
                for (int i = 0; i < 10; i++) {
                    all.forEach(x -> tasks.task("add").updates(x).run(add));
                }
            });
            List<String> places = places(session);
            for (int i = 0; i < places.size(); i++) {
                assertEquals(places.get(i % 2), places.get(i), places::toString);
            }
            assertEquals(10, count(places, "emulated0"), places::toString);
            graph.run();
        }
        requireFirst(10);
    }

    /** Parts of one data, of which each is written and read by itself. */
    @Test
    void partsAreSpread() {
        int rows = 10;
        Kernel fill = Kernel.named("fill").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("fill", launch -> {
            MemorySegment x = launch.memory(0);
            x.set(ValueLayout.JAVA_DOUBLE, 0, x.get(ValueLayout.JAVA_DOUBLE, 0) + 1);
        }));
        double[] array = new double[rows * LENGTH];
        try (Session session = session("stealing")) {
            learn(session, "fill", MILLISECOND, MILLISECOND, MILLISECOND);
            Data x = session.data().home("x", Layout.of(DataType.FLOAT64, rows, LENGTH), MemorySegment.ofArray(array));
            CompiledGraph graph = session.record(tasks -> {
                for (int i = 0; i < 2 * rows; i++) {
                    tasks.task("fill").updates(x.rows(i % rows, i % rows + 1)).run(fill);
                }
            });
            List<String> places = places(session);
            assertEquals(rows, count(places, "emulated0"), places::toString);
            for (int i = 0; i < rows; i++) {
                assertEquals(places.get(i), places.get(i + rows), places::toString);
            }
            graph.run();
        }
        for (int i = 0; i < rows; i++) {
            assertEquals(2, array[i * LENGTH]);
        }
    }

    /** Tasks that run while the graph is recorded do not run when it does. */
    @Test
    void liveTasksDoNotCount() {
        CountDownLatch recorded = new CountDownLatch(1);
        Kernel held = Kernel.named("held")
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("held", launch -> recorded.await()));
        try (Session session = session("stealing")) {
            learn(session, "add", MILLISECOND, MILLISECOND, 2 * MILLISECOND);
            learn(session, "held", MILLISECOND, 1e6 * MILLISECOND, 1e6 * MILLISECOND);
            List<Data> all = data(session, 2);
            session.graph()
                    .task("held")
                    .updates(all.get(0))
                    .on(ExecutionTarget.named("emulated0"))
                    .run(held);
            CompiledGraph graph = session.record(
                    tasks -> tasks.task("add").updates(all.get(1)).run(add));
            Explanation choice = session.placements().getLast();
            recorded.countDown();
            graph.run();
            assertEquals("emulated0", choice.place(), choice::toString);
            assertTrue(choice.estimates().getFirst().queueNanos() == 0, choice::toString);
        }
    }
}
