package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.testkit.Watchdog;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory that is full for a moment: tasks that are ready, or run, give it back. */
@Timeout(120)
class RoomInTimeTest {
    private static final int LENGTH = 100;
    private static final int CHAINS = 12;
    private static final int ROOM = 3;

    private static final Kernel ADD_ONE = Kernel.named("add one")
            .onDevice(ExecutionTarget.CUDA, work -> {})
            .onHost(given -> {
                Memory from = given.memory(0);
                Memory to = given.memory(1);
                for (long i = 0; i < LENGTH; i++) {
                    to.setDouble(i, from.getDouble(i) + 1);
                }
            });

    private static List<Policy> policies() {
        return Policies.all();
    }

    /** Each chain needs room for one; those that begin fill the memory, and those that release come behind them. */
    @ParameterizedTest
    @MethodSource("policies")
    void tasksThatGiveRoomBackGoOnBehindThoseThatWaitForIt(Policy policy) {
        for (int workers : new int[] {1, 2, 4}) {
            double[] sums = new double[CHAINS];
            try (Session session = Session.builder()
                    .workers(workers)
                    .policy(policy)
                    .hostMemory(ROOM * LENGTH * Double.BYTES)
                    .open()) {
                TaskGraph graph = session.graph();
                for (int i = 0; i < CHAINS; i++) {
                    int chain = i;
                    Data its = session.data().vector("of " + i, DataType.FLOAT64, LENGTH);
                    graph.task("make").writes(its).run(context -> fill(context.memory(its), chain));
                    graph.task("use").reads(its).run(context -> sums[chain] = sum(context.memory(its)));
                    graph.release(its);
                }
                graph.await();
            }
            for (int i = 0; i < CHAINS; i++) {
                assertEquals(i * LENGTH, sums[i]);
            }
        }
    }

    private static void fill(Memory memory, double value) {
        for (long i = 0; i < LENGTH; i++) {
            memory.setDouble(i, value);
        }
    }

    private static double sum(Memory memory) {
        double sum = 0;
        for (long i = 0; i < LENGTH; i++) {
            sum += memory.getDouble(i);
        }
        return sum;
    }

    /** One that waits for room that only itself could give back fails, alone. */
    @Test
    void whatCanNeverGetRoomFailsAlone() {
        try (Session session = Session.builder()
                .workers(2)
                .hostMemory(ROOM * LENGTH * Double.BYTES)
                .open()) {
            TaskGraph graph = session.graph();
            Data large = session.data().vector("large", DataType.FLOAT64, 2 * LENGTH);
            Data more = session.data().vector("more", DataType.FLOAT64, 2 * LENGTH);
            graph.task("fills").writes(large).run(context -> fill(context.memory(large), 1));
            Task<?> never = graph.task("never").writes(more).run(context -> fill(context.memory(more), 1));
            Task<Double> reads = graph.task("reads").reads(large).call(context -> sum(context.memory(large)));
            assertEquals(LENGTH, reads.join());
            assertMentions(
                    assertThrows(TaskFailedException.class, never::join),
                    "\"never\" finds no room for its data",
                    "it needs 1600 bytes");
        }
    }

    @Test
    void aRecomputationWaitsForRoomThatARunningTaskHolds(@TempDir Path folder) {
        long bytes = LENGTH * Double.BYTES;
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        try (Session session = Session.builder()
                .workers(3)
                .hostMemory(7 * bytes)
                .disk(folder, 1 << 20, false)
                .device(EmulatedDevice.offer("emulated0").faults(FaultPlan.NONE.at(FaultPlan.Kind.LOSS, 6)))
                .open()) {
            TaskGraph graph = session.graph();
            Data last = session.data().vector("x", new double[LENGTH]);
            for (int i = 1; i <= 4; i++) {
                Data from = last;
                Data next = session.data().vector("y" + i, DataType.FLOAT64, LENGTH);
                graph.task("add " + i).reads(from).writes(next).run(ADD_ONE);
                last = next;
            }
            graph.await();
            Data held = session.data().vector("held", DataType.FLOAT64, 4 * LENGTH);
            graph.task("holds").writes(held).run(context -> {
                running.countDown();
                Watchdog.await(gate, "the gate");
            });
            Watchdog.await(running, "the task that holds the room");
            Data wanted = last;
            Task<Double> sum = graph.task("reads").reads(wanted).call(context -> sum(context.memory(wanted)));
            Watchdog.until(RoomInTimeTest::aRecomputationWaits, "the recomputation's wait for room");
            gate.countDown();
            assertEquals(4 * LENGTH, sum.join());
        } finally {
            gate.countDown();
        }
    }

    private static boolean aRecomputationWaits() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread ->
                        thread.getName().equals("jacquard-recomputation") && thread.getState() == Thread.State.WAITING);
    }
}
