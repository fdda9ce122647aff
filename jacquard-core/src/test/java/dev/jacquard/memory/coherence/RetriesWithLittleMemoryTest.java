package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tasks that may be tried again, and that need memory for what they update and for a copy of it, where there is room
 * for the two of one task only: together they would wait for each other's memory for ever.
 */
@Timeout(180)
class RetriesWithLittleMemoryTest {
    private static final int LENGTH = 1_000;
    private static final long BYTES = 8L * LENGTH;
    private static final int DATA = 8;
    private static final int UPDATES = 200;

    private static void increment(Memory memory) {
        for (int i = 0; i < LENGTH; i++) {
            memory.setDouble(i, memory.getDouble(i) + 1);
        }
    }

    @RepeatedTest(5)
    void tasksOnHostAndDeviceTakeTurns(@TempDir Path disk) {
        Kernel kernel = Kernel.named("increment").parameters("x").onHost(arguments -> increment(arguments.memory("x")));
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0"), BYTES)
                .hostMemory(2 * BYTES)
                .disk(disk, 1 << 20, false)
                .open()) {
            TaskGraph graph = session.graph();
            List<Data> all = new ArrayList<>();
            for (int i = 0; i < DATA; i++) {
                Data data = session.data().vector("d" + i, DataType.FLOAT64, LENGTH);
                int value = i;
                graph.task("write").writes(data).run(context -> {
                    for (int k = 0; k < LENGTH; k++) {
                        context.memory(data).setDouble(k, value);
                    }
                });
                all.add(data);
            }
            for (int i = 0; i < UPDATES; i++) {
                Data data = all.get(i % DATA);
                if (i % 3 == 0) {
                    graph.task("device")
                            .updates(data)
                            .on(ExecutionTarget.EMULATED)
                            .retries(1)
                            .run(kernel);
                } else {
                    graph.task("host").updates(data).retries(1).run(context -> increment(context.memory(data)));
                }
            }
            graph.await();
            for (int i = 0; i < DATA; i++) {
                try (UserView view = session.data().open(all.get(i), Mode.READ)) {
                    assertEquals(i + UPDATES / DATA, view.memory().getDouble(5));
                }
            }
        }
    }

    @Test
    void oneThatNeverHasRoomForBothIsToldWhy() {
        try (Session session =
                Session.builder().workers(1).hostMemory(BYTES + BYTES / 2).open()) {
            TaskGraph graph = session.graph();
            Data data = session.data().vector("d", DataType.FLOAT64, LENGTH);
            graph.task("write").writes(data).run(context -> {});
            graph.await();
            graph.task("update").updates(data).retries(1).run(context -> increment(context.memory(data)));
            TaskFailedException failed = assertThrows(TaskFailedException.class, graph::await);
            assertMentions(
                    failed,
                    "task \"update\" finds no room for its data",
                    "for its retries the task needs the updated data twice");
        }
    }
}
