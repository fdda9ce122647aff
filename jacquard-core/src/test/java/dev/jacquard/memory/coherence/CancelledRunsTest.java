package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraph.DataUse;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What runs on the host, whose data is claimed for all of their tasks, leave when they are cancelled, or fail. */
@Timeout(180)
class CancelledRunsTest {
    private static final int LENGTH = 4;

    private final Session session = Session.builder()
            .workers(2)
            .device(EmulatedDevice.offer("emulated0"), 1L << 20)
            .open();
    private final Data x = session.data().vector("x", filled(1));
    private final Data y = session.data().vector("y", filled(2));
    /** In memory of the engine's. */
    private final Data z = session.data().vector("z", DataType.FLOAT64, LENGTH);

    @AfterEach
    void close() {
        session.close();
    }

    private static double[] filled(double value) {
        double[] array = new double[LENGTH];
        Arrays.fill(array, value);
        return array;
    }

    private static void fill(Memory memory, double value) {
        for (long i = 0; i < memory.extent(0); i++) {
            memory.setDouble(i, value);
        }
    }

    private static void add(Memory memory, double value) {
        for (long i = 0; i < memory.extent(0); i++) {
            memory.setDouble(i, memory.getDouble(i) + value);
        }
    }

    private List<Double> values(Data data) {
        return session.graph()
                .task("look")
                .reads(data)
                .call(ctx -> Arrays.stream(ctx.memory(data).segment().toArray(ValueLayout.JAVA_DOUBLE))
                        .boxed()
                        .toList())
                .join();
    }

    private void assertAll(double expected, Data data) {
        assertEquals(List.of(expected, expected, expected, expected), values(data));
    }

    private void assertLost(Data data) {
        TaskFailedException lost = assertThrows(TaskFailedException.class, () -> values(data));
        assertEquals(true, lost.toString().contains("and that is lost"), lost.toString());
    }

    private void fillZ(double value) {
        session.graph().task("fill").writes(z).run(ctx -> fill(ctx.memory(z), value));
        session.graph().await();
    }

    @Test
    void aRunThatIsCancelledBeforeItBeginsLeavesAllAsItWas() {
        fillZ(3);
        CountDownLatch goOn = new CountDownLatch(1);
        CompiledGraph step = session.record("step", rec -> {
            rec.task("update").updates(x).run(ctx -> fill(ctx.memory(x), 9));
            rec.task("overwrite").writes(y).run(ctx -> fill(ctx.memory(y), 9));
            rec.task("both").reads(x).writes(z).run(ctx -> fill(ctx.memory(z), 9));
        });
        assertEquals(DataUse.HOST, step.dataUse());
        session.graph().task("live").reads(x).run(ctx -> Watchdog.await(goOn, "may go on"));
        step.start();
        step.cancel();
        goOn.countDown();
        assertThrows(CancellationException.class, step::join);
        assertEquals(3, step.report().cancelled());
        assertAll(1, x);
        assertAll(2, y);
        assertAll(3, z);
        step.run();
        assertAll(9, z);
    }

    /** A task that accesses nothing cancels the run, whose claim is there by then. */
    @Test
    void aRunThatIsCancelledWhenItHasItsDataLeavesItAsItWas() {
        fillZ(3);
        CompiledGraphBuilder builder = session.compile("step");
        CompiledGraph[] itself = new CompiledGraph[1];
        int stop = builder.task("stop", context -> itself[0].cancel());
        builder.edge(stop, builder.task("update", ctx -> {}, a -> a.updates(x)), true);
        builder.edge(stop, builder.task("overwrite", ctx -> {}, a -> a.writes(y)), true);
        builder.edge(stop, builder.task("too", ctx -> {}, a -> a.writes(z)), true);
        itself[0] = builder.build();
        assertEquals(DataUse.HOST, itself[0].dataUse());
        assertThrows(CancellationException.class, itself[0]::run);
        assertAll(1, x);
        assertAll(2, y);
        assertAll(3, z);
    }

    @Test
    void whatTasksHaveWrittenBeforeTheRunIsCancelledIsTheNewest() {
        fillZ(3);
        View left = x.rows(0, 2);
        View right = x.rows(2, 4);
        CompiledGraph[] itself = new CompiledGraph[1];
        itself[0] = session.record("step", rec -> {
            rec.task("left").updates(left).reads(z).run(ctx -> fill(ctx.memory(left), 7));
            rec.task("fill").writes(z).run(ctx -> {
                fill(ctx.memory(z), 8);
                itself[0].cancel();
            });
            rec.task("right").updates(right).reads(z).run(ctx -> fill(ctx.memory(right), 9));
            rec.task("y").writes(y).reads(z).run(ctx -> fill(ctx.memory(y), 9));
            rec.task("again").updates(z).run(ctx -> fill(ctx.memory(z), 9));
        });
        assertThrows(CancellationException.class, itself[0]::run);
        assertEquals(List.of(7.0, 7.0, 1.0, 1.0), values(x));
        assertAll(2, y);
        assertAll(8, z);
    }

    @Test
    void aFailedRunLosesOnlyWhatFailedTasksWereToWrite() {
        fillZ(3);
        CompiledGraph step = session.record("step", rec -> {
            rec.task("well").updates(x).run(ctx -> fill(ctx.memory(x), 5));
            rec.task("fails").reads(x).updates(y).run(ctx -> {
                throw new IllegalStateException("on purpose");
            });
            rec.task("cancelled").reads(y).writes(z).run(ctx -> fill(ctx.memory(z), 9));
        });
        assertEquals(DataUse.HOST, step.dataUse());
        assertThrows(TaskFailedException.class, step::run);
        assertAll(5, x);
        assertLost(y);
        assertAll(3, z);
    }

    /** The builder's edges are the user's: a task may run on what a failed one has left. */
    @Test
    void whatIsMadeOfWhatWasLostIsLost() {
        fillZ(3);
        CompiledGraphBuilder builder = session.compile("step");
        int fails = builder.task(
                "fails",
                context -> {
                    throw new IllegalStateException("on purpose");
                },
                a -> a.updates(x));
        int reads = builder.task("reads", context -> {}, a -> a.reads(x).writes(z));
        int anew = builder.task("anew", ctx -> fill(ctx.memory(x), 4), a -> a.writes(x));
        int last = builder.task(
                "last", ctx -> fill(ctx.memory(y), 4), a -> a.reads(x).writes(y));
        builder.edge(fails, reads, false);
        builder.edge(reads, anew, false);
        builder.edge(anew, last, false);
        assertThrows(TaskFailedException.class, builder.build()::run);
        assertAll(4, x);
        assertAll(4, y);
        assertLost(z);
    }

    @Test
    void anAccessThatDoesNothingIsNothingToGiveBack() {
        CompiledGraphBuilder builder = session.compile("step");
        builder.task("nothing", context -> {}, a -> a.accesses(x, Access.none()).updates(y));
        builder.task(
                "fails",
                context -> {
                    throw new IllegalStateException("on purpose");
                },
                a -> a.accesses(z, Access.none()));
        assertThrows(TaskFailedException.class, builder.build()::run);
        assertAll(1, x);
        assertAll(2, y);
    }

    @Test
    void earlierPassesOfACancelledRunHaveWrittenWhatTheyWrote() {
        fillZ(3);
        AtomicInteger pass = new AtomicInteger();
        CompiledGraph[] itself = new CompiledGraph[1];
        itself[0] = session.record("step", rec -> {
            rec.task("stop").updates(x).run(ctx -> {
                fill(ctx.memory(x), pass.get());
                if (pass.get() == 2) {
                    itself[0].cancel();
                }
            });
            rec.task("y").reads(x).writes(y).run(ctx -> fill(ctx.memory(y), 10 + pass.get()));
            rec.task("z").reads(x).updates(z).run(ctx -> add(ctx.memory(z), 1));
            rec.repeatWhile("again", t -> t.reads(y), ctx -> pass.incrementAndGet() < 10);
        });
        assertThrows(CancellationException.class, itself[0]::run);
        assertEquals(3, itself[0].report().passes());
        assertAll(2, x);
        assertAll(11, y);
        assertAll(5, z);
    }

    @Test
    void whatASkippedTaskWasToWriteIsAsItWas() {
        fillZ(3);
        CompiledGraph step = session.record("step", rec -> {
            rec.choose("which", t -> {}, 2, ctx -> 1)
                    .in(0, no -> no.task("skipped").writes(z).run(ctx -> fill(ctx.memory(z), 9)))
                    .in(1, yes -> yes.task("x").writes(x).run(ctx -> fill(ctx.memory(x), 4)));
            rec.task("fails").updates(y).run(ctx -> {
                throw new IllegalStateException("on purpose");
            });
        });
        assertThrows(TaskFailedException.class, step::run);
        assertAll(4, x);
        assertLost(y);
        assertAll(3, z);
    }

    @Test
    void whatIsNewestOnADeviceStaysThereWhenARunThatWasToOverwriteItIsCancelled() {
        session.graph()
                .task("on the device")
                .updates(y)
                .run(Kernel.named("five").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("five", launch -> {
                    for (int i = 0; i < LENGTH; i++) {
                        launch.memory(0).setAtIndex(ValueLayout.JAVA_DOUBLE, i, 5);
                    }
                })));
        session.graph().await();
        CompiledGraph[] itself = new CompiledGraph[1];
        itself[0] = session.record("step", rec -> {
            rec.task("stop").updates(x).run(ctx -> itself[0].cancel());
            rec.task("overwrite").reads(x).writes(y).run(ctx -> fill(ctx.memory(y), 9));
        });
        assertEquals(DataUse.HOST, itself[0].dataUse());
        assertThrows(CancellationException.class, itself[0]::run);
        assertAll(5, y);
    }

    /** Adds one, when it may; says when it has begun. */
    private static Kernel addOne(CountDownLatch begun, CountDownLatch may) {
        return Kernel.named("one").onDevice(ExecutionTarget.EMULATED, new EmulatedBody("one", launch -> {
            begun.countDown();
            Watchdog.await(may, "may add");
            for (int i = 0; i < LENGTH; i++) {
                double before = launch.memory(0).getAtIndex(ValueLayout.JAVA_DOUBLE, i);
                launch.memory(0).setAtIndex(ValueLayout.JAVA_DOUBLE, i, before + 1);
            }
        }));
    }

    /**
     * Its tasks have claims of their own, and that of the first waits until what adds on a device is over. The one
     * worker goes on with the task that cancels.
     */
    @Test
    void aTaskThatWaitsForItsDataWhenItsRunIsCancelledDoesNotStart() {
        for (ExecutionTarget place : List.of(ExecutionTarget.HOST, ExecutionTarget.EMULATED)) {
            try (Session alone = Session.builder()
                    .workers(1)
                    .devices("emulated0", "emulated1")
                    .open()) {
                double[] home = filled(1);
                Data sum = alone.data().vector("sum", home);
                Data other = alone.data().vector("other", filled(1));
                CountDownLatch begun = new CountDownLatch(1);
                CountDownLatch goOn = new CountDownLatch(1);
                AtomicInteger ran = new AtomicInteger();
                Kernel late = Kernel.named("late")
                        .onHost(arguments -> ran.incrementAndGet())
                        .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("late", launch -> ran.incrementAndGet()));
                CompiledGraph[] itself = new CompiledGraph[1];
                itself[0] = alone.record("step", rec -> {
                    rec.task("waits")
                            .adds(sum)
                            .accesses(other, Access.none())
                            .on(place.equals(ExecutionTarget.HOST) ? place : ExecutionTarget.named("emulated1"))
                            .run(late);
                    rec.task("stop").updates(other).run(ctx -> {
                        itself[0].cancel();
                        goOn.countDown();
                    });
                    rec.task("elsewhere")
                            .updates(other)
                            .on(ExecutionTarget.EMULATED)
                            .run(late);
                });
                assertEquals(DataUse.STAGED, itself[0].dataUse());
                alone.graph()
                        .task("adds")
                        .adds(sum)
                        .on(ExecutionTarget.named("emulated0"))
                        .run(addOne(begun, goOn));
                Watchdog.await(begun, "adds on the device");
                assertThrows(CancellationException.class, itself[0]::run);
                assertEquals(0, ran.get());
                alone.data().fetch(sum);
                assertEquals(2, home[0]);
            }
        }
    }
}
