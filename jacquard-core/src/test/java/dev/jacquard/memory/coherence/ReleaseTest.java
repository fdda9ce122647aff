package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraph.DataUse;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan.Kind;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Data that is given up, and memory that is used again. */
@Timeout(180)
class ReleaseTest {
    private static final int LENGTH = 500;
    private static final long BYTES = LENGTH * 8L;

    /** {@code y = x + a}. */
    private static final Kernel ADD = Kernel.named("add")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("add", launch -> {
                MemorySegment x = launch.memory(1);
                MemorySegment y = launch.memory(2);
                for (long i = 0; i < LENGTH; i++) {
                    y.setAtIndex(
                            ValueLayout.JAVA_DOUBLE, i, launch.doubleAt(0) + x.getAtIndex(ValueLayout.JAVA_DOUBLE, i));
                }
            }))
            .onHost(arguments -> {
                for (long i = 0; i < LENGTH; i++) {
                    arguments
                            .memory(2)
                            .setDouble(
                                    i, arguments.number(0) + arguments.memory(1).getDouble(i));
                }
            });

    private static Data temporary(Session session, String name) {
        return session.data().vector(name, DataType.FLOAT64, LENGTH);
    }

    private static long used(Session session) {
        return session.data().transfers().spaces().stream()
                .mapToLong(Transfers.Used::bytes)
                .sum();
    }

    private static double[] filled(double value) {
        double[] array = new double[LENGTH];
        Arrays.fill(array, value);
        return array;
    }

    @Test
    void memoryGoesBackBehindTheLastWhoUsesIt() {
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0"))
                .open()) {
            double[] result = filled(0);
            Data x = session.data().vector("x", filled(1));
            Data between = temporary(session, "between");
            Data y = session.data().vector("y", result);
            TaskGraph graph = session.graph();
            for (int round = 0; round < 50; round++) {
                graph.task("one").reads(x).writes(between).run(ADD, 1.0);
                graph.task("host").updates(between).run(ctx -> {});
                graph.task("two").reads(between).writes(y).run(ADD, 1.0);
                graph.release(between).join();
                assertTrue(session.data().query(between).where().replicas().isEmpty());
                assertTrue(used(session) <= 2 * BYTES, "x and y on the device");
            }
            session.data().fetch(y);
            assertEquals(3, result[LENGTH - 1]);
            graph.task("reads").reads(between).run(ctx -> {});
            TaskFailedException nobody = assertThrows(TaskFailedException.class, graph::await);
            assertTrue(
                    nobody.toString().contains("which no task has written since it was released"), nobody.toString());
            assertThrows(IllegalArgumentException.class, () -> graph.release(x));
        }
    }

    /** Temporaries of three steps, on the device. */
    private static void steps(Tasks tasks, Data x, Data[] between, Data y) {
        tasks.task("one").reads(x).writes(between[0]).run(ADD, 1.0);
        tasks.task("two").reads(between[0]).writes(between[1]).run(ADD, 1.0);
        tasks.release(between[0]);
        tasks.task("three").reads(between[1]).writes(between[2]).run(ADD, 1.0);
        tasks.release(between[1]);
        tasks.task("four").reads(between[2]).writes(y).run(ADD, 1.0);
        tasks.release(between[2]);
    }

    private static Session refusingAllocation(long number) {
        return Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0").faults(FaultPlan.NONE.at(Kind.ALLOCATION, number)))
                .open();
    }

    @Test
    void nothingIsAllocatedAfterTheFirstTime() {
        try (Session session = refusingAllocation(6)) { // x, y and three between
            Data x = session.data().vector("x", filled(1));
            double[] result = filled(0);
            Data y = session.data().vector("y", result);
            for (int round = 0; round < 100; round++) {
                Data[] between = {temporary(session, "a"), temporary(session, "b"), temporary(session, "c")};
                steps(session.graph(), x, between, y);
                session.graph().await();
            }
            session.data().fetch(y);
            assertEquals(5, result[0]);
        }
    }

    @Test
    void compiledGraphsReleaseInEachRun() {
        try (Session session = refusingAllocation(6)) {
            Data x = session.data().vector("x", filled(1));
            double[] result = filled(0);
            Data y = session.data().vector("y", result);
            Data[] between = {temporary(session, "a"), temporary(session, "b"), temporary(session, "c")};
            CompiledGraph graph = session.record("steps", rec -> steps(rec, x, between, y));
            for (int run = 0; run < 100; run++) {
                graph.run();
                assertEquals(2 * BYTES, used(session));
            }
            session.data().fetch(y);
            assertEquals(5, result[0]);
        }
    }

    @Test
    void compiledGraphsOnTheHostReleaseToo() {
        try (Session session = Session.builder().workers(1).open()) {
            Data x = temporary(session, "x");
            CompiledGraph graph = session.record("host", rec -> {
                rec.task("fill").writes(x).run(ctx -> ctx.memory(x).setDouble(0, 1));
                rec.task("look")
                        .reads(x)
                        .run(ctx -> assertEquals(1, ctx.memory(x).getDouble(0)));
                rec.release(x);
            });
            assertEquals(DataUse.STAGED, graph.dataUse());
            for (int run = 0; run < 10; run++) {
                graph.run();
                assertEquals(0, used(session));
            }
        }
    }

    @Test
    void whatIsKeptStaysUntilItIsNot() {
        try (Session session = Session.builder().workers(1).open()) {
            Data x = temporary(session, "x");
            CompiledGraph graph = session.record("host", rec -> {
                rec.task("fill").writes(x).run(ctx -> ctx.memory(x).setDouble(0, 7));
                rec.release(x);
            });
            x.keep(true);
            graph.run();
            double[] seen = {0};
            session.graph()
                    .task("look")
                    .reads(x)
                    .run(ctx -> seen[0] = ctx.memory(x).getDouble(0))
                    .join();
            assertEquals(7, seen[0]);
            x.keep(false);
            graph.run();
            assertEquals(0, used(session));
        }
    }

    @Test
    void releasesBetweenEvictionsLoseNothing(@TempDir Path folder) {
        for (long seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            try (Session session = Session.builder()
                    .workers(2)
                    .device(EmulatedDevice.offer("emulated0"), (2 + random.nextInt(2)) * BYTES)
                    .device(EmulatedDevice.offer("emulated1").withoutPeers(), 3 * BYTES)
                    .hostMemory((3 + random.nextInt(3)) * BYTES)
                    .disk(folder, 1 << 20, false)
                    .open()) {
                Data[] data = new Data[6];
                double[] expected = new double[data.length];
                Arrays.fill(expected, Double.NaN);
                for (int i = 0; i < data.length; i++) {
                    data[i] = temporary(session, "d" + i);
                }
                TaskGraph graph = session.graph();
                for (int step = 0; step < 60; step++) {
                    int to = random.nextInt(data.length);
                    int from = random.nextInt(data.length);
                    if (Double.isNaN(expected[from])) {
                        graph.task("fill")
                                .writes(data[from])
                                .run(ctx -> ctx.memory(data[from]).segment().fill((byte) 0));
                        expected[from] = 0;
                    } else if (random.nextInt(3) == 0) {
                        graph.release(data[from]);
                        expected[from] = Double.NaN;
                    } else if (from != to) {
                        var add = graph.task("add").reads(data[from]).writes(data[to]);
                        (random.nextBoolean() ? add.on(ExecutionTarget.HOST) : add).run(ADD, 1.0);
                        expected[to] = expected[from] + 1;
                    }
                }
                for (int i = 0; i < data.length; i++) {
                    if (!Double.isNaN(expected[i])) {
                        Data one = data[i];
                        double last = graph.task("look")
                                .reads(one)
                                .call(ctx -> ctx.memory(one).getDouble(LENGTH - 1))
                                .join();
                        assertEquals(expected[i], last, "seed " + seed);
                    }
                    graph.release(data[i]);
                }
                graph.await();
                Watchdog.until(() -> used(session) == 0, "the last copies, behind which memory goes back");
            }
        }
    }
}
