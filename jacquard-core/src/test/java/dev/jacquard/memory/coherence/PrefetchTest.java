package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What tasks on devices read is on its way before they are ready, and nothing moves twice for it. */
class PrefetchTest {
    private static final int LENGTH = 1000;
    private static final long BYTES = LENGTH * 8L;

    /** {@code sum += a + b}. */
    private static final Kernel ADD =
            Kernel.named("add").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("add", PrefetchTest::add));

    private static void add(EmulatedBody.Launch launch) {
        MemorySegment a = launch.memory(0);
        MemorySegment b = launch.memory(1);
        MemorySegment sum = launch.memory(2);
        for (long i = 0; i < LENGTH; i++) {
            sum.setAtIndex(
                    ValueLayout.JAVA_DOUBLE,
                    i,
                    sum.getAtIndex(ValueLayout.JAVA_DOUBLE, i)
                            + a.getAtIndex(ValueLayout.JAVA_DOUBLE, i)
                            + b.getAtIndex(ValueLayout.JAVA_DOUBLE, i));
        }
    }

    private static Session session(long bytes) {
        return Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0"), bytes)
                .open();
    }

    private static double[] filled(double value) {
        double[] array = new double[LENGTH];
        Arrays.fill(array, value);
        return array;
    }

    private static void await(CountDownLatch latch) {
        Watchdog.await(latch, "the test lets it go on");
    }

    private static long copies(Session session) {
        return session.data().transfers().copies();
    }

    @Test
    void whatIsFinalMovesWhileTheRestIsMade() {
        CountDownLatch made = new CountDownLatch(1);
        double[] sum = filled(0);
        try (Session session = session(1 << 20)) {
            Data a = session.data().vector("a", DataType.FLOAT64, LENGTH);
            Data b = session.data().vector("b", filled(2));
            Data s = session.data().vector("sum", sum);
            session.graph().task("make").writes(a).run(ctx -> {
                await(made);
                for (int i = 0; i < LENGTH; i++) {
                    ctx.memory(a).setDouble(i, 1);
                }
            });
            session.graph().task("add").reads(a).reads(b).updates(s).run(ADD);
            Watchdog.until(() -> copies(session) == 2, "b and sum are there");
            made.countDown();
            session.data().fetch(s);
            assertArrayEquals(filled(3), sum);
            assertEquals(4, copies(session), "a, b and sum in, sum out");
        }
    }

    @Test
    void whatIsMadeSoonerMovesSooner() {
        CountDownLatch soon = new CountDownLatch(1);
        CountDownLatch late = new CountDownLatch(1);
        double[] sum = filled(0);
        try (Session session = Session.builder()
                .workers(3)
                .device(EmulatedDevice.offer("emulated0"))
                .open()) {
            Data a = session.data().vector("a", filled(0));
            Data b = session.data().vector("b", filled(0));
            Data s = session.data().vector("sum", sum);
            session.graph().task("late").writes(a).run(ctx -> {
                await(late);
                ctx.memory(a).setDouble(0, 1);
            });
            session.graph().task("soon").writes(b).run(ctx -> {
                await(soon);
                ctx.memory(b).setDouble(0, 1);
            });
            session.graph().task("add").reads(a).reads(b).updates(s).run(ADD);
            Watchdog.until(() -> copies(session) == 1, "sum is there");
            soon.countDown();
            Watchdog.until(() -> copies(session) == 2, "b is there");
            late.countDown();
            session.data().fetch(s);
            assertEquals(2, sum[0]);
            assertEquals(4, copies(session));
        }
    }

    @Test
    void whatDoesNotFitWithTheRestWaits() {
        CountDownLatch made = new CountDownLatch(1);
        double[] sum = filled(0);
        double[] other = filled(0);
        try (Session session = session(3 * BYTES)) {
            Data a = session.data().vector("a", filled(0));
            Data b = session.data().vector("b", filled(2));
            Data c = session.data().vector("c", filled(3));
            Data s = session.data().vector("sum", sum);
            Data o = session.data().vector("other", other);
            session.graph().task("make").updates(a).run(ctx -> {
                await(made);
                ctx.memory(a).setDouble(0, 1);
            });
            session.graph().task("add").reads(a).reads(b).updates(s).run(ADD);
            session.graph().task("other").reads(c).reads(c).updates(o).run(ADD);
            Watchdog.until(() -> copies(session) == 2, "c and other are there");
            made.countDown();
            session.graph().await();
            session.data().fetch(s);
            session.data().fetch(o);
            assertEquals(3, sum[0]);
            assertArrayEquals(filled(6), other);
            assertEquals(7, copies(session), "other out for a, b and sum, sum out");
        }
    }

    @Test
    void whatWasBroughtForATaskThatIsCancelledDoesNoHarm() {
        CountDownLatch made = new CountDownLatch(1);
        double[] b = filled(2);
        try (Session session = session(1 << 20)) {
            TaskGraph graph = session.graph("cancelled", FailurePolicy.CONTINUE);
            Data a = session.data().vector("a", DataType.FLOAT64, LENGTH);
            Data db = session.data().vector("b", b);
            Data s = session.data().vector("sum", filled(0));
            graph.task("make").writes(a).run(ctx -> {
                await(made);
                throw new IllegalStateException("no a");
            });
            graph.task("add").reads(a).reads(db).updates(s).run(ADD);
            graph.task("next").updates(db).run(ctx -> ctx.memory(db).setDouble(0, 7));
            made.countDown();
            assertThrows(TaskFailedException.class, graph::await);
            assertEquals(7, b[0]);
            Data other = session.data().vector("other", filled(0));
            graph.task("again").reads(db).reads(db).updates(other).run(ADD).join();
        }
    }

    @Test
    void aPrefetchedPartIsThereForAllWhoReadIt() {
        double[] sum = filled(0);
        try (Session session = session(1 << 20)) {
            TaskGraph graph = session.graph();
            Data a = session.data().vector("a", filled(1));
            Data s = session.data().vector("sum", sum);
            graph.prefetch(a).to(ExecutionTarget.EMULATED).join();
            assertEquals(1, copies(session));
            graph.prefetch(s).to(ExecutionTarget.named("emulated0")).join();
            assertEquals(2, copies(session));
            graph.task("add").reads(a).reads(a).updates(s).run(ADD).join();
            graph.task("add").reads(a).reads(a).updates(s).run(ADD).join();
            assertEquals(2, copies(session));
            graph.prefetch(s.rows(0, 10)).to(ExecutionTarget.HOST).join();
            assertEquals(3, copies(session));
            assertEquals(4, sum[9]);
            assertEquals(0, sum[10]);
        }
    }

    @Test
    void aPrefetchKnowsItsPlaceInTheOrder() {
        CountDownLatch made = new CountDownLatch(1);
        try (Session session = session(1 << 20)) {
            TaskGraph graph = session.graph();
            double[] sum = filled(0);
            Data a = session.data().vector("a", filled(0));
            Data s = session.data().vector("sum", sum);
            graph.task("make").writes(a).run(ctx -> {
                await(made);
                ctx.memory(a).setDouble(0, 5);
            });
            graph.prefetch(a).to(ExecutionTarget.EMULATED);
            assertEquals(0, copies(session));
            made.countDown();
            graph.task("add").reads(a).reads(a).updates(s).run(ADD);
            session.data().fetch(s);
            assertEquals(10, sum[0]);
            assertEquals(3, copies(session));
        }
    }

    @Test
    void checkingModeReadsNoHostMemoryOfWhatIsOnADevice() {
        double[] sum = filled(0);
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0"), 1 << 20)
                .checking()
                .open()) {
            TaskGraph graph = session.graph();
            Data a = session.data().vector("a", filled(1));
            Data s = session.data().vector("sum", sum);
            graph.prefetch(a).to(ExecutionTarget.EMULATED).join();
            graph.prefetch(s.rows(0, 10)).to(ExecutionTarget.named("emulated0")).join();
            graph.task("nothing")
                    .reads(a)
                    .on(ExecutionTarget.named("emulated0"))
                    .run(ctx -> {})
                    .join();
            graph.task("add").reads(a).reads(a).updates(s).run(ADD);
            graph.prefetch(s).to(ExecutionTarget.HOST).join();
            assertArrayEquals(filled(2), sum);
        }
    }

    @Test
    void whereThereIsNoSuchTargetItSaysSo() {
        try (Session session = session(1 << 20)) {
            Data a = session.data().vector("a", filled(1));
            IllegalStateException refused = assertThrows(
                    IllegalStateException.class,
                    () -> session.graph().prefetch(a).to(ExecutionTarget.CUDA));
            assertTrue(refused.toString().contains("is for target cuda"), refused::toString);
        }
    }

    /** A recorded prefetch brings in each run what is not there, to a device or back, and nothing twice. */
    @Test
    void recordedPrefetchesBringWhatIsMadeInEachRun() {
        double[] sum = filled(0);
        try (Session session = session(1 << 20)) {
            Data a = session.data().vector("a", DataType.FLOAT64, LENGTH);
            Data b = session.data().vector("b", filled(2));
            Data s = session.data().vector("sum", sum);
            // Two tasks that are not ordered with each other: each has a place of its own.
            AtomicLong there = new AtomicLong();
            AtomicLong back = new AtomicLong();
            CompiledGraph step = session.record("step", graph -> {
                graph.task("make").writes(a).run(ctx -> ctx.memory(a).setDouble(0, 1));
                Task<?> ahead = graph.prefetch(a).to(ExecutionTarget.EMULATED);
                graph.task("look").after(ahead).run(ctx -> there.set(copied(session, "a")));
                graph.task("add").reads(a).reads(b).updates(s).after(ahead).run(ADD);
                Task<?> home = graph.prefetch(s).to(ExecutionTarget.HOST);
                graph.task("read").after(home).reads(s).run(ctx -> back.set(copied(session, "sum")));
            });
            for (int run = 1; run <= 5; run++) {
                step.run();
                assertEquals(run * BYTES, there.get(), "the prefetch alone moved it there");
                assertEquals((run + 1) * BYTES, back.get(), "the prefetch alone moved it back");
            }
            assertEquals(5 + 1 + 1 + 5, copies(session), session.data().transfers() + "");
            session.data().fetch(s);
            assertEquals(5 * 3, sum[0]);
        }
    }

    private static long copied(Session session, String data) {
        return session.data().transfers().data().stream()
                .filter(moved -> moved.data().equals(data))
                .mapToLong(Transfers.Moved::bytes)
                .sum();
    }

    private static final Kernel LOOK =
            Kernel.named("look").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("look", launch -> {}));

    /** A session with a link on which a copy is under way for longer than tasks take to become ready. */
    private static Session slow() {
        return Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0").link(1_000_000_000, 700_000_000))
                .open();
    }

    private static void look(Session session, Data data) {
        session.graph().task("look").reads(data).run(LOOK).join();
    }

    @Test
    void copiesThatWereBegunAheadAndAreWaitedForAreLateOnce() {
        try (Session session = slow()) {
            Data early = session.data().vector("early", filled(1));
            session.graph().prefetch(early).to(ExecutionTarget.EMULATED).join();
            assertEquals(0, session.data().transfers().late(), "the prefetch alone waits");
            look(session, early);
            assertEquals(0, session.data().transfers().late(), "it is there");
            Data late = session.data().vector("late", filled(2));
            session.graph().prefetch(late).to(ExecutionTarget.EMULATED);
            look(session, late);
            assertEquals(1, session.data().transfers().late());
            assertTrue(
                    session.data().transfers().toString().contains("1 of them begun ahead and late"),
                    () -> session.data().transfers() + "");
            look(session, late);
            assertEquals(1, session.data().transfers().late());
            assertEquals(2, copies(session));
        }
    }

    /** Recorded tasks bring their data when they are ready: the second waits for what the first has begun. */
    @Test
    void aCopyThatTwoTasksNeedIsNotLate() {
        try (Session session = slow()) {
            Data b = session.data().vector("b", filled(2));
            CompiledGraph step = session.record("step", graph -> {
                for (String name : List.of("one", "other")) {
                    graph.task(name).reads(b).run(LOOK);
                }
            });
            step.run();
            assertEquals(1, copies(session));
            assertEquals(0, session.data().transfers().late());
        }
    }

    @Test
    void aRecordedPrefetchToALostDeviceFailsItsRunAndNothingElse() {
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0").faults(FaultPlan.NONE.at(FaultPlan.Kind.LOSS, 1)))
                .open()) {
            Data b = session.data().vector("b", filled(2));
            CompiledGraph step =
                    session.record("step", graph -> graph.prefetch(b).to(ExecutionTarget.EMULATED));
            for (int run = 0; run < 2; run++) {
                TaskFailedException told = assertThrows(TaskFailedException.class, step::run);
                assertEquals("prefetch b", told.task());
                assertTrue(String.valueOf(told.getMessage()).contains("emulated0 is lost"), told::toString);
            }
            session.data().fetch(b);
        }
    }

    /** As kernels for a kind of which no device is left do: the task fails, and the submission refuses nothing. */
    @Test
    void soDoesOneThatIsSubmittedBehindTheLoss() {
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0").faults(FaultPlan.NONE.at(FaultPlan.Kind.LOSS, 1)))
                .open()) {
            Data b = session.data().vector("b", filled(2));
            for (ExecutionTarget where :
                    List.of(ExecutionTarget.EMULATED, ExecutionTarget.EMULATED, ExecutionTarget.named("emulated0"))) {
                Task<?> late = session.graph().prefetch(b).to(where);
                TaskFailedException told = assertThrows(TaskFailedException.class, late::join);
                assertTrue(String.valueOf(told.getMessage()).contains("emulated0 is lost"), told::toString);
            }
            CompiledGraph step =
                    session.record("step", graph -> graph.prefetch(b).to(ExecutionTarget.EMULATED));
            assertThrows(TaskFailedException.class, step::run);
            session.data().fetch(b);
        }
    }
}
