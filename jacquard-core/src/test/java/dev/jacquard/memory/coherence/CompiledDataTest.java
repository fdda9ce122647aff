package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraph.DataUse;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Data in graphs that are compiled once and run again and again. */
@Timeout(180)
class CompiledDataTest {
    private static final int LENGTH = 240;
    private static final long BYTES = LENGTH * 8L;

    private static Session session(int workers, int devices) {
        SessionBuilder builder = Session.builder().workers(workers);
        for (int i = 0; i < devices; i++) {
            builder.device(EmulatedDevice.offer("emulated" + i), 1L << 20);
        }
        return builder.open();
    }

    private static double[] filled(double value) {
        double[] array = new double[LENGTH];
        Arrays.fill(array, value);
        return array;
    }

    @Test
    void kernelsRunAgainAndAgainWhereTheirDataIs() {
        for (int workers = 1; workers <= 2; workers++) {
            double[] y = filled(2);
            try (Session session = session(workers, 1)) {
                Data dx = session.data().vector("x", filled(1));
                Data dy = session.data().vector("y", y);
                CompiledGraph step = session.record("step", graph -> {
                    graph.task("one").reads(dx).updates(dy).run(CoherenceTest.AXPY, 1.0);
                    graph.task("two").reads(dx).updates(dy).run(CoherenceTest.AXPY, 2.0);
                });
                assertEquals(DataUse.STAGED, step.dataUse());
                for (int run = 0; run < 100; run++) {
                    step.run();
                }
                CoherenceTest.assertMoved(session.data(), 2, 2 * BYTES);
                session.data().fetch(dy);
                assertArrayEquals(filled(302), y);
                CoherenceTest.assertMoved(session.data(), 3, 3 * BYTES);
                step.run();
                session.data().fetch(dy);
                assertArrayEquals(filled(305), y);
                CoherenceTest.assertMoved(session.data(), 4, 4 * BYTES);
            }
        }
    }

    @Test
    void hostAndDevicesTakeTurnsAndEachRunMovesWhatItMust() {
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", DataType.FLOAT64, LENGTH);
            double[] y = filled(0);
            Data dy = session.data().vector("y", y);
            int[] runs = {0};
            CompiledGraph step = session.record("step", graph -> {
                graph.task("count").writes(x).run(ctx -> {
                    runs[0]++;
                    for (int i = 0; i < LENGTH; i++) {
                        ctx.memory(x).setDouble(i, runs[0]);
                    }
                });
                graph.task("add").reads(x).updates(dy).run(CoherenceTest.AXPY, 1.0);
            });
            for (int run = 0; run < 10; run++) {
                step.run();
            }
            session.data().fetch(dy);
            assertArrayEquals(filled(55), y);
            CoherenceTest.assertMoved(session.data(), 10 + 1 + 1, 12 * BYTES);
        }
    }

    @Test
    void onTheHostAloneARunAsksOnceAndSaysSo() {
        double[] y = filled(1);
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", DataType.FLOAT64, LENGTH);
            Data dy = session.data().vector("y", y);
            CompiledGraph step = session.record("step", graph -> {
                graph.task("fill")
                        .writes(x)
                        .run(ctx -> ctx.memory("x").segment().fill((byte) 0));
                for (long part = 0; part < 4; part++) {
                    View view = dy.rows(60 * part, 60 * part + 60);
                    graph.task("twice").updates(view).run(ctx -> {
                        for (int i = 0; i < 60; i++) {
                            ctx.memory(view).setDouble(i, 2 * ctx.memory(view).getDouble(i));
                        }
                    });
                }
                graph.task("axpy").reads(x).updates(dy).on(ExecutionTarget.HOST).run(CoherenceTest.AXPY, 1.0);
            });
            assertEquals(DataUse.HOST, step.dataUse());
            assertTrue(step.toString().endsWith("; data on the host alone, claimed once per run"), step::toString);
            for (int run = 0; run < 10; run++) {
                step.run();
            }
            assertArrayEquals(filled(1024), y);
            CoherenceTest.assertMoved(session.data(), 0, 0);
            session.graph()
                    .task("on the device")
                    .updates(dy)
                    .reads(x)
                    .run(Kernel.named("negate")
                            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("negate", launch -> {
                                MemorySegment there = launch.memory(0);
                                there.setAtIndex(ValueLayout.JAVA_DOUBLE, 0, -1);
                            })));
            session.graph().await();
            step.run(); // what a device wrote meanwhile comes back, once
            assertEquals(-2, y[0]);
            CoherenceTest.assertMoved(session.data(), 3, 3 * BYTES);
        }
    }

    @Test
    void aRunOnTheHostTouchesNoMoreThanItsParts() {
        double[] y = filled(0);
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", filled(1));
            Data dy = session.data().vector("y", y);
            CompiledGraph left = session.record("left", graph -> {
                graph.task("left")
                        .updates(dy.rows(0, 100))
                        .run(ctx -> ctx.memory(dy.rows(0, 100))
                                .setDouble(0, ctx.memory(dy.rows(0, 100)).getDouble(0) + 1));
                graph.task("both")
                        .updates(dy.rows(50, 120))
                        .run(ctx -> ctx.memory(dy.rows(50, 120))
                                .setDouble(0, ctx.memory(dy.rows(50, 120)).getDouble(0) + 1));
            });
            CompiledGraph right = session.record(
                    "right",
                    graph -> graph.task("right")
                            .reads(x.rows(120, LENGTH))
                            .updates(dy.rows(120, LENGTH))
                            .run(CoherenceTest.AXPY, 1.0));
            assertEquals(DataUse.HOST, left.dataUse());
            for (int run = 0; run < 50; run++) {
                right.start();
                left.start(); // side by side: their parts are apart
                right.join();
                left.join();
            }
            session.data().fetch(dy);
            double[] expected = filled(0);
            expected[0] = 50;
            expected[50] = 50;
            Arrays.fill(expected, 120, LENGTH, 50);
            assertArrayEquals(expected, y);
            CoherenceTest.assertMoved(session.data(), 3, 3 * 120 * 8L);
        }
    }

    /** As live tasks: the run claims what all of its tasks declare, and each of them has its own. */
    @Test
    void aTaskTouchesNoMoreThanItsOwnParts() {
        try (Session session = session(2, 0)) {
            for (long[] rows : new long[][] {{100, 200}, {50, 150}, {0, LENGTH}}) {
                Data x = session.data().vector("x", filled(1));
                View other = x.rows(rows[0], rows[1]);
                CompiledGraph graph = session.record("graph", its -> {
                    its.task("left")
                            .reads(x.rows(0, 100))
                            .run(ctx -> ctx.memory(other).setDouble(0, 7));
                    its.task("right")
                            .updates(x.rows(100, 200))
                            .run(ctx -> ctx.memory(x.rows(100, 200)).setDouble(0, 1));
                });
                assertEquals(DataUse.HOST, graph.dataUse());
                for (int run = 0; run < 2; run++) {
                    TaskFailedException failed = assertThrows(TaskFailedException.class, graph::run);
                    assertMentions(
                            failed, "task \"left\" touches x" + other.box(), "and declared [[0 until 100]] of it");
                }
            }
        }
    }

    @Test
    void partsThatOverlapInMemoryOfTheEnginesShareIt() {
        try (Session session = session(1, 0)) {
            Data x = session.data().vector("x", DataType.INT64, 6);
            View left = x.rows(0, 4);
            View right = x.rows(2, 6);
            CompiledGraph overlapping = session.record("overlapping", graph -> {
                graph.task("left").writes(left).run(ctx -> fill(ctx.memory(left), 1));
                graph.task("right").writes(right).run(ctx -> fill(ctx.memory(right), 2));
                graph.task("again").updates(left).run(ctx -> add(ctx.memory(left), 10));
            });
            assertEquals(DataUse.HOST, overlapping.dataUse());
            session.graph().task("before").writes(right).run(ctx -> fill(ctx.memory(right), 7)); // in memory of its own
            for (int run = 0; run < 3; run++) {
                overlapping.run();
                assertEquals(
                        List.of(11L, 11L, 12L, 12L, 2L, 2L),
                        session.graph()
                                .task("look")
                                .reads(x)
                                .call(ctx -> Arrays.stream(
                                                ctx.memory(x).segment().toArray(ValueLayout.JAVA_LONG))
                                        .boxed()
                                        .toList())
                                .join());
            }
        }
    }

    private static void fill(Memory memory, long value) {
        for (long i = 0; i < memory.extent(0); i++) {
            memory.setLong(i, value);
        }
    }

    private static void add(Memory memory, long value) {
        for (long i = 0; i < memory.extent(0); i++) {
            memory.setLong(i, memory.getLong(i) + value);
        }
    }

    @Test
    void aTaskThatFailsOnTheHostLosesWhatTheRunWrites() {
        double[] y = filled(1);
        try (Session session = session(1, 0)) {
            Data dy = session.data().vector("y", y);
            boolean[] fails = {true};
            CompiledGraph step = session.record(
                    "step",
                    graph -> graph.task("fails").updates(dy).run(ctx -> {
                        if (fails[0]) {
                            throw new IllegalStateException("on purpose");
                        }
                    }));
            assertThrows(TaskFailedException.class, step::run);
            fails[0] = false;
            TaskFailedException lost = assertThrows(TaskFailedException.class, step::run);
            assertTrue(lost.toString().contains("and that is lost"), lost.toString());
            session.graph().task("anew").writes(dy).run(ctx -> {});
            session.graph().await();
            step.run();
        }
    }

    @Test
    void aFailedRunLosesNothingThatItOnlyReads() {
        double[] y = filled(1);
        try (Session session = session(1, 1)) {
            Data dy = session.data().vector("y", y);
            CompiledGraph step = session.record("step", graph -> {
                graph.task("reads").reads(dy.rows(0, 100)).run(ctx -> {});
                graph.task("fails").updates(dy.rows(0, 50)).run(ctx -> {
                    throw new IllegalStateException("on purpose");
                });
            });
            assertEquals(DataUse.HOST, step.dataUse());
            assertThrows(TaskFailedException.class, step::run);
            session.data().fetch(dy.rows(50, 100));
            assertThrows(TaskFailedException.class, () -> session.data().fetch(dy.rows(49, 50)));
        }
    }

    @Test
    void graphsWithoutDataHaveNone() {
        try (Session session = session(1, 0)) {
            CompiledGraph step =
                    session.record("step", graph -> graph.task("nothing").run(ctx -> {}));
            assertEquals(DataUse.NONE, step.dataUse());
            assertEquals("compiled graph \"step\": 1 task, 0 edges", step.toString());
        }
    }

    @Test
    void whatNobodyHasWrittenFailsTheTaskThatReadsIt() {
        try (Session session = session(1, 0)) {
            Data x = session.data().vector("x", DataType.FLOAT64, LENGTH);
            CompiledGraph step = session.record("step", graph -> {
                graph.task("well").run(ctx -> {});
                graph.task("reads").reads(x).run(ctx -> {});
            });
            TaskFailedException failed = assertThrows(TaskFailedException.class, step::run);
            assertTrue(failed.toString().contains("\"reads\""), failed.toString());
            assertTrue(failed.toString().contains("which no task has written"), failed.toString());
            session.graph().task("write").writes(x).run(ctx -> {});
            session.graph().await();
            step.run();
        }
    }

    /**
     * The claim of the whole run fails, since nothing has written what one of its tasks reads; then tasks claim one by
     * one.
     */
    @Test
    void aRunThatIsNotClaimedAsAWholeLosesNothingThatItUpdates() {
        double[] home = filled(1);
        try (Session session = session(1, 0)) {
            Data x = session.data().vector("x", home);
            Data y = session.data().vector("y", DataType.FLOAT64, LENGTH);
            CompiledGraph step = session.record("step", graph -> {
                graph.task("first half").writes(y.rows(0, LENGTH / 2)).run(ctx -> {
                    ctx.memory(y.rows(0, LENGTH / 2)).setDouble(0, 40);
                });
                graph.task("second half").writes(y.rows(LENGTH / 2, LENGTH)).run(ctx -> {});
                graph.task("both")
                        .reads(y)
                        .updates(x)
                        .run(ctx -> ctx.memory(x)
                                .setDouble(
                                        0,
                                        ctx.memory(x).getDouble(0)
                                                + ctx.memory(y).getDouble(0)));
            });
            step.run();
            step.run();
        }
        assertEquals(81, home[0]);
    }

    @Test
    void aGraphWithinAnotherMayUseItsDataOnADevice() {
        double[] home = filled(1);
        double[] seen = new double[1];
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", filled(1));
            Data y = session.data().vector("y", home);
            CompiledGraph inner = session.record(
                    "inner",
                    rec -> rec.task("add")
                            .reads(x)
                            .updates(y)
                            .on(ExecutionTarget.EMULATED)
                            .run(CoherenceTest.AXPY, 10.0));
            CompiledGraphBuilder outer = session.compile("outer");
            int before = outer.task("before", ctx -> ctx.memory(y).setDouble(0, 2), a -> a.updates(y));
            int within = outer.graph("inner", inner);
            int behind = outer.task("behind", ctx -> seen[0] = ctx.memory(y).getDouble(0), a -> a.reads(y));
            outer.edge(before, within, true);
            outer.edge(within, behind, true);
            outer.build().run();
        }
        assertEquals(12, seen[0]);
        assertEquals(12, home[0]);
    }

    @Test
    void decisionsReadData() {
        double[] y = filled(0);
        try (Session session = session(2, 2)) {
            Data x = session.data().vector("x", filled(1));
            Data dy = session.data().vector("y", y);
            CompiledGraph solve = session.record("solve", rec -> {
                rec.task("add").reads(x).updates(dy).run(CoherenceTest.AXPY, 1.0);
                rec.repeatWhile(
                        "less than 10", t -> t.reads(dy), ctx -> ctx.memory(dy).getDouble(0) < 10);
            });
            solve.run();
            assertArrayEquals(filled(10), y);
            assertEquals(10, solve.report().passes());
        }
    }

    @Test
    void aGraphIsATaskOfALiveGraphAndOfAnother() {
        double[] y = filled(0);
        try (Session session = session(2, 1)) {
            Data x = session.data().vector("x", filled(1));
            Data dy = session.data().vector("y", y);
            CompiledGraph add = session.record(
                    "add", graph -> graph.task("add").reads(x).updates(dy).run(CoherenceTest.AXPY, 1.0));
            CompiledGraph outer = session.record("outer", rec -> {
                rec.graph("add", add);
                rec.task("host")
                        .updates(dy)
                        .run(ctx -> ctx.memory(dy).setDouble(0, ctx.memory(dy).getDouble(0) + 100));
            });
            TaskGraph graph = session.graph();
            for (int i = 0; i < 5; i++) {
                outer.submit(graph, "outer");
                graph.task("live")
                        .updates(dy)
                        .run(ctx -> ctx.memory(dy).setDouble(1, ctx.memory(dy).getDouble(1) + 1000));
            }
            graph.await();
            session.data().fetch(dy);
            assertEquals(505, y[0]);
            assertEquals(5005, y[1]);
            assertEquals(5, y[2]);
        }
    }

    @Test
    void aFailedKernelFailsTheRunAndTheNextOneGoesOn() {
        double[] z = filled(0);
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0").faults(FaultPlan.NONE.at(FaultPlan.Kind.LAUNCH, 2)))
                .open()) {
            Data x = session.data().vector("x", filled(1));
            Data y = session.data().vector("y", DataType.FLOAT64, LENGTH);
            Data dz = session.data().vector("z", z);
            CompiledGraph step = session.record("step", graph -> {
                graph.task("clear").writes(y).run(ctx -> ctx.memory(y).segment().fill((byte) 0));
                graph.task("add").reads(x).updates(y).run(CoherenceTest.AXPY, 3.0);
                graph.task("copy").reads(y).updates(dz).on(ExecutionTarget.HOST).run(CoherenceTest.AXPY, 1.0);
            });
            step.run();
            TaskFailedException failed = assertThrows(TaskFailedException.class, step::run);
            assertTrue(failed.toString().contains("\"add\""), failed.toString());
            assertEquals(1, step.report().cancelled());
            step.run();
            assertArrayEquals(filled(6), z);
        }
    }

    @Test
    void whatDoesNotFitAtOnceIsClaimedTaskByTask(@TempDir Path folder) {
        try (Session session = Session.builder()
                .workers(2)
                .hostMemory(3 * BYTES)
                .disk(folder, 1 << 20, false)
                .open()) {
            List<Data> all = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                all.add(session.data().vector("x" + i, DataType.FLOAT64, LENGTH));
            }
            for (Data one : all) {
                session.graph()
                        .task("clear")
                        .writes(one)
                        .run(ctx -> ctx.memory(one).segment().fill((byte) 0));
            }
            session.graph().await();
            CompiledGraph step = session.record("step", graph -> {
                for (Data one : all) {
                    graph.task("count")
                            .updates(one)
                            .run(ctx ->
                                    ctx.memory(one).setDouble(0, ctx.memory(one).getDouble(0) + 1));
                }
            });
            assertEquals(DataUse.STAGED, step.dataUse());
            for (int run = 0; run < 20; run++) {
                step.run();
            }
            for (Data one : all) {
                Task<Double> count = session.graph()
                        .task("look")
                        .reads(one)
                        .call(ctx -> ctx.memory(one).getDouble(0));
                assertEquals(20, count.join());
            }
        }
    }

    /** Tasks on parts, in any order, on the host and on devices: what a plain loop gives, in a graph of any kind. */
    @Test
    void randomProgramsGiveWhatALoopGives() {
        for (long seed = 0; seed < 150; seed++) {
            Random random = new Random(seed);
            int devices = random.nextInt(4);
            int count = 2 + random.nextInt(3);
            double[][] expected = new double[count][];
            double[][] homes = new double[count][];
            SessionBuilder builder = Session.builder().workers(1 + random.nextInt(3));
            for (int i = 0; i < devices; i++) {
                builder.device(EmulatedDevice.offer("emulated" + i), (2 + random.nextInt(3)) * BYTES);
            }
            try (Session session = builder.open()) {
                Data[] data = new Data[count];
                for (int i = 0; i < count; i++) {
                    homes[i] = filled(i + 1);
                    expected[i] = homes[i].clone();
                    data[i] = session.data().vector("d" + i, homes[i]);
                }
                long program = random.nextLong();
                CompiledGraph graph = session.record(
                        "random", rec -> submit(new Random(program), rec, data, devices > 0 && random.nextBoolean()));
                int runs = 1 + random.nextInt(4);
                for (int run = 0; run < runs; run++) {
                    graph.run();
                    loop(new Random(program), expected);
                }
                for (int i = 0; i < count; i++) {
                    session.data().fetch(data[i]);
                    assertArrayEquals(expected[i], homes[i], "seed " + seed);
                }
            }
        }
    }

    private static void submit(Random random, Tasks tasks, Data[] data, boolean mixed) {
        int count = 5 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            int x = random.nextInt(data.length);
            int y = (x + 1 + random.nextInt(data.length - 1)) % data.length;
            int from = 40 * random.nextInt(5);
            int to = from + 40 + 40 * random.nextInt((LENGTH - from) / 40);
            double factor = 1 + random.nextInt(2);
            boolean host = random.nextBoolean() && mixed;
            var task = tasks.task("axpy").reads(data[x].rows(from, to)).updates(data[y].rows(from, to));
            (host ? task.on(ExecutionTarget.HOST) : task).run(CoherenceTest.AXPY, factor / 8);
        }
    }

    private static void loop(Random random, double[][] data) {
        int count = 5 + random.nextInt(20);
        for (int i = 0; i < count; i++) {
            int x = random.nextInt(data.length);
            int y = (x + 1 + random.nextInt(data.length - 1)) % data.length;
            int from = 40 * random.nextInt(5);
            int to = from + 40 + 40 * random.nextInt((LENGTH - from) / 40);
            double factor = 1 + random.nextInt(2);
            random.nextBoolean();
            for (int at = from; at < to; at++) {
                data[y][at] += factor / 8 * data[x][at];
            }
        }
    }

    /** Tasks of which devices were told before the cancel run, and what they write counts. */
    @Test
    void cancellingWaitsForDevicesAndLeavesNothing() {
        double[] sum = filled(0);
        int done = 0;
        try (Session session = session(2, 2)) {
            Data x = session.data().vector("x", filled(1));
            Data y = session.data().vector("y", sum);
            CompiledGraph step = session.record("step", graph -> {
                for (int i = 0; i < 50; i++) {
                    graph.task("axpy").reads(x).updates(y).run(CoherenceTest.AXPY, 1.0);
                }
            });
            for (int i = 0; i < 20; i++) {
                step.start();
                step.cancel();
                try {
                    step.join();
                } catch (CancellationException e) {
                    assertTrue(step.report().cancelled() <= 50);
                }
                done += 50 - (int) step.report().cancelled();
            }
            session.data().free(y); // nobody holds it any more
            assertArrayEquals(filled(done), sum);
            TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
            other.task("after").run(ctx -> {});
            other.await();
        }
    }
}
