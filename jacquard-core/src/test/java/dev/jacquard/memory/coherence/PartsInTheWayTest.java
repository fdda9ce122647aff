package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Parts of data that overlap on the host, which has room for all of the data, but not beside them: they make room when
 * a device has to let all of it go.
 */
@Timeout(180)
class PartsInTheWayTest {
    private static final int LENGTH = 7;
    private static final long BYTES = 4L * LENGTH;

    private static void fill(Memory memory) {
        for (int i = 0; i < LENGTH; i++) {
            memory.setInt(i, 10 * i);
        }
    }

    @Test
    void goWhereADeviceNeedsTheirRoom(@TempDir Path disk) {
        Kernel fill = Kernel.named("fill").parameters("x").onHost(arguments -> fill(arguments.memory("x")));
        int[] seen = new int[3];
        Kernel look = Kernel.named("look")
                .parameters("x")
                .onHost(arguments -> seen[2] = arguments.memory("x").getInt(0));
        try (Session session = Session.builder()
                .workers(1)
                .device(EmulatedDevice.offer("emulated0"), BYTES)
                .hostMemory(BYTES)
                .disk(disk, 1 << 20, false)
                .open()) {
            Data data = session.data().vector("d", DataType.INT32, LENGTH);
            TaskGraph graph = session.graph();
            graph.task("fill").writes(data).on(ExecutionTarget.EMULATED).run(fill);
            graph.task("one")
                    .reads(data.rows(1, 3))
                    .run(context -> seen[0] = context.memory(data.rows(1, 3)).getInt(0));
            graph.await();
            graph.task("two")
                    .reads(data.rows(1, 4))
                    .run(context -> seen[1] = context.memory(data.rows(1, 4)).getInt(2));
            graph.await();
            graph.task("look")
                    .reads(data.rows(1, 2))
                    .on(ExecutionTarget.EMULATED)
                    .run(look);
            graph.await();
        }
        assertEquals("[10, 30, 10]", Arrays.toString(seen));
    }

    /** All of the data is there since another task used it, and the tasks behind need parts, of it and of others. */
    @Test
    void allOfTheDataMakesWayForParts(@TempDir Path disk) {
        int rows = 4;
        double[] seen = new double[rows];
        try (Session session = Session.builder()
                .workers(2)
                .hostMemory(8 * 25 * 9 / 2)
                .disk(disk, 1 << 20, false)
                .open()) {
            Data from = session.data().matrix("from", DataType.FLOAT64, rows, 25);
            Data to = session.data().matrix("to", DataType.FLOAT64, rows, 25);
            TaskGraph graph = session.graph();
            for (int i = 0; i < rows; i++) {
                View row = from.rows(i, i + 1);
                int value = i;
                graph.task("fill")
                        .writes(row)
                        .run(context -> context.memory(row).setDouble(0, 24, value));
            }
            double[] sum = {0};
            graph.task("all").reads(from).run(context -> {
                for (int i = 0; i < rows; i++) {
                    sum[0] += context.memory(from).getDouble(i, 24);
                }
            });
            graph.await();
            for (int i = 0; i < rows; i++) {
                View in = from.rows(i, i + 1);
                View out = to.rows(i, i + 1);
                graph.task("copy")
                        .reads(in)
                        .writes(out)
                        .run(context -> context.memory(out)
                                .setDouble(0, 24, 2 * context.memory(in).getDouble(0, 24)));
            }
            graph.await();
            for (int i = 0; i < rows; i++) {
                View row = to.rows(i, i + 1);
                int number = i;
                graph.task("look")
                        .reads(row)
                        .run(context -> seen[number] = context.memory(row).getDouble(0, 24));
            }
            graph.await();
            assertEquals(6, sum[0]);
        }
        assertEquals(List.of(0.0, 2.0, 4.0, 6.0), Arrays.stream(seen).boxed().toList());
    }

    /** All of the data is there, and the task behind updates a part, of which it needs a second copy. */
    @Test
    void allOfTheDataMakesWayForAPartAndWhatARetryNeeds(@TempDir Path disk) {
        int[] seen = {0};
        try (Session session = Session.builder()
                .workers(1)
                .hostMemory(2 * 4 * 4)
                .disk(disk, 1 << 20, false)
                .open()) {
            Data data = session.data().vector("d", DataType.INT32, LENGTH);
            View part = data.rows(0, 4);
            TaskGraph graph = session.graph();
            graph.task("fill").writes(data).run(context -> fill(context.memory(data)));
            graph.await();
            int[] tries = {0};
            graph.task("update").updates(part).retries(1).run(context -> {
                context.memory(part).setInt(3, context.memory(part).getInt(3) + 1);
                if (tries[0]++ == 0) {
                    throw new IllegalStateException("once");
                }
            });
            graph.task("look")
                    .reads(data)
                    .run(context -> seen[0] = context.memory(data).getInt(3)
                            + 1_000 * context.memory(data).getInt(6));
            graph.await();
        }
        assertEquals(60_031, seen[0]);
    }

    /** Two devices that do not reach each other, and a piece for which the host, between them, never has room. */
    @Test
    void aPieceThatCannotPassThroughTheHostIsTold() {
        int length = 2_400;
        Kernel write = Kernel.named("write").parameters("x").onHost(arguments -> {});
        Kernel read = Kernel.named("read").parameters("x").onHost(arguments -> {});
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0").withoutPeers())
                .device(EmulatedDevice.offer("emulated1").withoutPeers())
                .hostMemory(8 * 500)
                .open()) {
            Data data = session.data().vector("d", DataType.INT64, length);
            TaskGraph graph = session.graph();
            graph.task("write")
                    .writes(data)
                    .on(ExecutionTarget.named("emulated0"))
                    .run(write);
            graph.task("part")
                    .writes(data.rows(100, 200))
                    .on(ExecutionTarget.named("emulated0"))
                    .run(write);
            graph.task("read")
                    .reads(data)
                    .on(ExecutionTarget.named("emulated1"))
                    .run(read);
            assertMentions(
                    assertThrows(TaskFailedException.class, graph::await),
                    "task \"read\" finds no room for its data",
                    "d[200 until 2400] of 17600 bytes has to pass through host memory on its way to emulated1",
                    "that may hold 4000 bytes");
        }
    }
}
