package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.engine.model.TimeFile;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.schedule.Explanation;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels for the host and for a device, under the policy that weighs both. */
@Timeout(120)
class HostPlacementTest {
    private static final int LENGTH = 1000;
    /** Long, so that no task is late while others are submitted. */
    private static final double MINUTE = 60e9;

    private final AtomicInteger onHost = new AtomicInteger();
    private final AtomicInteger onDevice = new AtomicInteger();
    private final CountDownLatch placed = new CountDownLatch(1);

    /** Adds 1 to each element, once all tasks have their places. */
    private final Kernel work = Kernel.named("work")
            .onHost(ctx -> {
                Watchdog.await(placed, "all tasks have places");
                onHost.incrementAndGet();
            })
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("work", launch -> {
                placed.await();
                onDevice.incrementAndGet();
            }));

    private static Session session(String policy, int workers) {
        SessionBuilder builder = Session.builder().workers(workers).policy(Policies.named(policy));
        return builder.device(EmulatedDevice.offer("emulated0")).open();
    }

    private static TimeModel times(Session session) {
        return ((Dispatcher) session.executor()).times();
    }

    private static Place device(Session session) {
        return Objects.requireNonNull(((Dispatcher) session.executor()).place(ExecutionTarget.named("emulated0")));
    }

    private static void learn(Session session, double hostNanos, double deviceNanos) {
        for (int i = 0; i < 3; i++) {
            times(session).add("work", Place.HOST, 8 * LENGTH, hostNanos);
            times(session).add("work", device(session), 8 * LENGTH, deviceNanos);
        }
    }

    /** Returns the places of kernels, without those of ready tasks on workers. */
    private static List<String> places(Session session) {
        return session.placements().stream()
                .map(Explanation::place)
                .filter(place -> !place.startsWith("worker "))
                .toList();
    }

    /** Runs tasks that all have their places before the first one is over; returns the places. */
    private List<String> run(Session session, int count) {
        for (int i = 0; i < count; i++) {
            Data x = session.data().vector("x" + i, new double[LENGTH]);
            session.graph().task("work").updates(x).run(work);
        }
        List<String> places = places(session);
        placed.countDown();
        session.graph().await();
        assertEquals(count, onHost.get() + onDevice.get());
        return places;
    }

    @Test
    void bothGetTheirShareByTheirTimes() {
        try (Session session = session("earliest-finish", 2)) {
            learn(session, 4 * MINUTE, MINUTE);
            List<String> places = run(session, 12);
            assertEquals(4, places.stream().filter("host"::equals).count(), places::toString);
        }
    }

    @Test
    void aSlowDeviceGetsNothingWhileTheHostIsFree() {
        try (Session session = session("earliest-finish", 2)) {
            learn(session, MINUTE, 1000 * MINUTE);
            assertEquals(List.of("host", "host", "host", "host"), run(session, 4));
        }
    }

    @Test
    void withoutTimesTasksAreSpread() {
        try (Session session = session("earliest-finish", 2)) {
            List<String> places = run(session, 9);
            assertTrue(places.contains("host") && places.contains("emulated0"), places::toString);
            assertTrue(times(session).nanos("work", Place.HOST, 8 * LENGTH) > 0, "the host's side was measured");
        }
    }

    @Test
    void otherPoliciesPreferDevices() {
        try (Session session = session("stealing", 2)) {
            learn(session, MINUTE, 1000 * MINUTE);
            run(session, 4);
            assertEquals(4, onDevice.get());
        }
    }

    /** A task of the host that finds its data on a device is taken twice, and is measured once. */
    @Test
    void aTaskThatWaitsForItsDataIsNotMeasured() {
        try (Session session = session("priority", 2)) {
            placed.countDown();
            Data x = session.data().vector("x", new double[LENGTH]);
            for (int i = 0; i < 4; i++) {
                session.graph().task("work").updates(x).run(work);
                session.graph().task("read").reads(x).run(ctx -> {});
            }
            session.graph().await();
            assertEquals(4, onDevice.get());
            List<Long> counts = times(session).entries().stream()
                    .filter(entry -> entry.name().equals("read"))
                    .map(TimeFile.Entry::count)
                    .toList();
            assertEquals(List.of(3L), counts, "the first run does not count");
        }
    }

    /** The times that are known when the task is ready say the opposite of those at its submission. */
    @Test
    void aTaskMovesWhenItIsReady() {
        try (Session session = session("earliest-finish", 2)) {
            learn(session, 1, 1000 * MINUTE);
            placed.countDown();
            CountDownLatch gate = new CountDownLatch(1);
            Data x = session.data().vector("x", new double[LENGTH]);
            session.graph().task("before").updates(x).run(ctx -> Watchdog.await(gate, "new times"));
            Task<?> its = session.graph().task("work").updates(x).run(work);
            List<String> first = places(session);
            for (int i = 0; i < 100; i++) {
                learn(session, 1000 * MINUTE, 1);
            }
            gate.countDown();
            its.join();
            assertEquals(List.of("host"), first);
            assertEquals(List.of("host", "emulated0"), places(session));
            assertEquals(0, onHost.get());
            assertEquals(1, onDevice.get());
        }
    }

    /** Each task of a chain goes elsewhere than the last one, and some move when they are ready. */
    @Test
    void theDataIsWhereTheTaskRuns() {
        Kernel add = Kernel.named("work")
                .onHost(its -> {
                    Memory x = its.memory(0);
                    x.setDouble(0, x.getDouble(0) + 1);
                    onHost.incrementAndGet();
                })
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("work", launch -> {
                    MemorySegment x = launch.memory(0);
                    x.set(ValueLayout.JAVA_DOUBLE, 0, x.get(ValueLayout.JAVA_DOUBLE, 0) + 1);
                    onDevice.incrementAndGet();
                }));
        try (Session session = session("earliest-finish", 2)) {
            double[] array = new double[LENGTH];
            Data x = session.data().vector("x", array);
            for (int i = 0; i < 60; i++) {
                boolean host = i % 2 == 0;
                for (int k = 0; k < 40; k++) {
                    learn(session, host ? 1 : 1000 * MINUTE, host ? 1000 * MINUTE : 1);
                }
                session.graph().task("work").updates(x).run(add);
            }
            session.graph().await();
            session.data().fetch(x);
            assertEquals(60, array[0]);
            assertEquals(60, onHost.get() + onDevice.get());
        }
    }

    /** Devices that hold two of the eight vectors, under tasks that go wherever they are expected to end first. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void memoryIsNeverOvercommitted(long seed) {
        Kernel sum = Kernel.named("work")
                .onHost(its -> {
                    onHost.incrementAndGet();
                    Memory y = its.memory(1);
                    y.setDouble(0, (y.getDouble(0) + its.memory(0).getDouble(0)) % 1_000);
                })
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("work", launch -> {
                    onDevice.incrementAndGet();
                    MemorySegment y = launch.memory(1);
                    double x = launch.memory(0).get(ValueLayout.JAVA_DOUBLE, 0);
                    y.set(ValueLayout.JAVA_DOUBLE, 0, (y.get(ValueLayout.JAVA_DOUBLE, 0) + x) % 1_000);
                }));
        long room = 2L * 8 * LENGTH;
        double[][] arrays = new double[8][LENGTH];
        double[] expected = new double[arrays.length];
        try (Session session = Session.builder()
                .workers(2)
                .policy(Policies.named("earliest-finish"))
                .device(EmulatedDevice.offer("emulated0"), room)
                .device(EmulatedDevice.offer("emulated1"), room)
                .open()) {
            List<Data> all = new ArrayList<>();
            for (int i = 0; i < arrays.length; i++) {
                arrays[i][0] = i + 1;
                expected[i] = i + 1;
                all.add(session.data().vector("x" + i, arrays[i]));
            }
            Random random = new Random(seed);
            for (int i = 0; i < 400; i++) {
                int from = random.nextInt(arrays.length);
                int to = (from + 1 + random.nextInt(arrays.length - 1)) % arrays.length;
                session.graph()
                        .task("work")
                        .reads(all.get(from))
                        .updates(all.get(to))
                        .run(sum);
                expected[to] = (expected[to] + expected[from]) % 1_000;
            }
            session.graph().await();
            for (Data x : all) {
                session.data().fetch(x);
            }
            for (Transfers.Used space : session.data().transfers().spaces()) {
                assertTrue(space.peak() <= space.limit(), space::toString);
            }
        }
        assertArrayEquals(expected, Arrays.stream(arrays).mapToDouble(x -> x[0]).toArray(), () -> "seed " + seed);
        assertEquals(400, onHost.get() + onDevice.get());
        assertTrue(onDevice.get() > 0 && onHost.get() > 0, () -> onHost + " on the host, " + onDevice + " on devices");
    }

    /** Tasks that come one at a time find the host idle, and their data there. */
    @Test
    void aDeviceThatWasNeverMeasuredIsTried() {
        placed.countDown();
        try (Session session = session("earliest-finish", 2)) {
            for (int i = 0; i < 3; i++) {
                times(session).add("work", Place.HOST, 8 * LENGTH, MINUTE);
            }
            Data x = session.data().vector("x", new double[LENGTH]);
            session.graph().task("work").updates(x).run(work).join();
            Explanation choice = session.placements().getFirst();
            assertEquals("emulated0", choice.place(), choice::toString);
            assertTrue(choice.isRetry(), choice::toString);
            assertEquals(1, onDevice.get());
        }
    }
}
