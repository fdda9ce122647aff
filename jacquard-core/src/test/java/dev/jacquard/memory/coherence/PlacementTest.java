package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.schedule.Explanation;
import dev.jacquard.engine.schedule.Placement;
import dev.jacquard.engine.work.Dispatcher;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** On which of several devices tasks run, and why. */
class PlacementTest {
    private static final int LENGTH = 1000;
    private static final Kernel LOOK =
            Kernel.named("look").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("look", launch -> {}));

    /** Returns a kernel that no device ends before {@code placed}, so that none is idle again until then. */
    private static Kernel held(String name, CountDownLatch placed) {
        return Kernel.named(name).onDevice(ExecutionTarget.EMULATED, new EmulatedBody(name, launch -> placed.await()));
    }

    private static Session session(EmulatedOffer one, EmulatedOffer other) {
        return Session.builder().workers(1).device(one).device(other).open();
    }

    private static Session twoAlike() {
        return session(EmulatedDevice.offer("emulated0"), EmulatedDevice.offer("emulated1"));
    }

    private static List<String> devices(Session session) {
        return session.placements().stream().map(Explanation::place).toList();
    }

    private static long on(String device, Session session) {
        return devices(session).stream().filter(device::equals).count();
    }

    private static Place place(Session session, String device) {
        return Objects.requireNonNull(((Dispatcher) session.executor()).place(ExecutionTarget.named(device)));
    }

    @Test
    void aChainStaysWhereItsDataIs() {
        try (Session session = twoAlike()) {
            Data x = session.data().vector("x", new double[LENGTH]);
            CountDownLatch placed = new CountDownLatch(1);
            Kernel look = held("look", placed);
            for (int i = 0; i < 20; i++) {
                session.graph().task("step").updates(x).run(look);
            }
            placed.countDown();
            session.graph().await();
            assertEquals(1, session.data().transfers().copies());
            assertEquals(1, devices(session).stream().distinct().count());
        }
    }

    /** Kernels end while others are placed. */
    @Test
    void aChainStaysWhereItsDataIsWhileItRuns() {
        try (Session session = twoAlike()) {
            Data x = session.data().vector("x", new double[LENGTH]);
            for (int i = 0; i < 2_000; i++) {
                session.graph().task("step").updates(x).run(LOOK);
            }
            session.graph().await();
            assertEquals(1, session.data().transfers().copies());
            assertEquals(1, devices(session).stream().distinct().count());
        }
    }

    /** A kernel ends while the placement asks for its follower: the queue and the data are still of one moment. */
    @Test
    void allAnswersAreOfOneMoment() {
        CountDownLatch placed = new CountDownLatch(1);
        AtomicReference<Runnable> between = new AtomicReference<>(() -> {});
        List<Double> answers = new ArrayList<>();
        Placement asking = (task, machine) -> {
            Place first = machine.places().getFirst();
            answers.add(machine.queuedNanos(first));
            Objects.requireNonNull(between.get()).run();
            machine.places().forEach(place -> answers.add(machine.dataNanos(task, place)));
            answers.add((double) machine.tasks(first));
            return first;
        };
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"))
                .device(EmulatedDevice.offer("emulated1"))
                .placement(asking)
                .open()) {
            TimeModel times = ((Dispatcher) session.executor()).times();
            times.add("step", place(session, "emulated0"), 8 * LENGTH, 60e9);
            Data x = session.data().vector("x", new double[LENGTH]);
            Kernel step = held("step", placed);
            Task<?> first = session.graph().task("step").updates(x).run(step);
            answers.clear();
            between.set(() -> {
                placed.countDown();
                Watchdog.until(() -> first.state().isOver(), "the first task is over");
            });
            session.graph().task("step").updates(x).run(step);
            session.graph().await();
        }
        assertEquals(60e9, answers.get(0));
        assertTrue(answers.get(1) >= 60e9 - 30e9, () -> "when the data is written: " + answers);
        assertTrue(answers.get(2) > answers.get(1), () -> "and copied: " + answers);
        assertEquals(1, answers.get(3));
    }

    @Test
    void whatIsIndependentIsSpread() {
        try (Session session = twoAlike()) {
            CountDownLatch placed = new CountDownLatch(1);
            Kernel look = held("look", placed);
            for (int i = 0; i < 8; i++) {
                Data x = session.data().vector("x" + i, new double[LENGTH]);
                session.graph().task("look").updates(x).run(look);
            }
            placed.countDown();
            session.graph().await();
            assertEquals(4, on("emulated0", session), () -> devices(session).toString());
            assertEquals(4, on("emulated1", session), () -> devices(session).toString());
        }
    }

    @Test
    void dataThatIsThereCountsMoreThanAnEmptyQueue() {
        try (Session session = session(
                EmulatedDevice.offer("emulated0").link(1_000_000_000, 100_000),
                EmulatedDevice.offer("emulated1").link(1_000_000_000, 100_000))) {
            Data x = session.data().vector("x", new double[LENGTH]);
            Data y = session.data().vector("y", new double[10]);
            session.graph()
                    .task("bring")
                    .reads(x)
                    .on(ExecutionTarget.named("emulated1"))
                    .run(LOOK)
                    .join();
            session.graph().task("look").reads(x).updates(y).run(LOOK).join();
            Explanation choice = session.placements().getLast();
            assertEquals("emulated1", choice.place());
            assertEquals(2, choice.estimates().size());
            assertEquals(8 * LENGTH + 80, choice.estimates().getFirst().missingBytes());
            assertEquals(80, choice.estimates().getLast().missingBytes());
            assertTrue(
                    choice.toString().startsWith("task \"look\" runs on emulated1; emulated0: over after "),
                    choice::toString);
        }
    }

    @Test
    void timesOfEachDeviceAreMeasured() {
        try (Session session = twoAlike()) {
            TimeModel times = ((Dispatcher) session.executor()).times();
            for (String device : List.of("emulated0", "emulated1")) {
                assertTrue(times.nanos("look", place(session, device), 8 * LENGTH) < 0);
                Data x = session.data().vector("x", new double[LENGTH]);
                session.graph()
                        .task("learn")
                        .updates(x)
                        .on(ExecutionTarget.named(device))
                        .run(LOOK)
                        .join();
                assertTrue(times.nanos("look", place(session, device), 8 * LENGTH) > 0);
            }
        }
    }

    @Test
    void whoWasFasterGetsMore() {
        try (Session session = twoAlike()) {
            TimeModel times = ((Dispatcher) session.executor()).times();
            times.add("work", place(session, "emulated0"), 8 * LENGTH, 40_000_000);
            times.add("work", place(session, "emulated1"), 8 * LENGTH, 10_000_000);
            CountDownLatch placed = new CountDownLatch(1);
            Kernel work = held("work", placed);
            for (int i = 0; i < 20; i++) {
                Data x = session.data().vector("x", new double[LENGTH]);
                session.graph().task("work").updates(x).run(work);
            }
            placed.countDown();
            session.graph().await();
            assertEquals(4, on("emulated0", session), () -> session.placements().toString());
            assertEquals(
                    16, on("emulated1", session), () -> session.placements().toString());
        }
    }

    @Test
    void aTaskThatIsRefusedCountsNowhere() {
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"), 8 * LENGTH - 1)
                .device(EmulatedDevice.offer("emulated1"), 8 * LENGTH - 1)
                .open()) {
            Data large = session.data().vector("large", new double[LENGTH]);
            Data small = session.data().vector("small", new double[1]);
            for (int i = 0; i < 3; i++) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> session.graph().task("large").updates(large).run(LOOK));
            }
            session.graph().task("small").updates(small).run(LOOK).join();
            assertEquals(
                    List.of(0, 0),
                    session.placements().getLast().estimates().stream()
                            .map(Explanation.Estimate::tasks)
                            .toList());
        }
    }

    @Test
    void aTaskThatIsCancelledCountsNoMore() {
        try (Session session = twoAlike()) {
            Data x = session.data().vector("x", new double[LENGTH]);
            var graph = session.graph("failing", FailurePolicy.CONTINUE);
            graph.task("fail").updates(x).on(ExecutionTarget.HOST).run(ctx -> {
                throw new IllegalStateException("no x");
            });
            graph.task("never").updates(x).run(LOOK);
            assertThrows(TaskFailedException.class, graph::await);
            Data y = session.data().vector("y", new double[LENGTH]);
            graph.task("look").updates(y).run(LOOK).join();
            assertEquals(
                    List.of(0, 0),
                    session.placements().getLast().estimates().stream()
                            .map(Explanation.Estimate::tasks)
                            .toList());
        }
    }
}
