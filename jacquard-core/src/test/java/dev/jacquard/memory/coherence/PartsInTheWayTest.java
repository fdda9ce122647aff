package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.machine.Target;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.ElementType;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Parts of data that overlap on the host, which has room for all of the data, but not beside them: they make room when
 * a device has to let all of it go.
 */
@Timeout(60)
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
            Data data = session.data().vector("d", ElementType.INT32, LENGTH);
            TaskGraph graph = session.graph();
            graph.task("fill").writes(data).on(Target.EMULATED).run(fill);
            graph.task("one")
                    .reads(data.rows(1, 3))
                    .run(context -> seen[0] = context.memory(data.rows(1, 3)).getInt(0));
            graph.await();
            graph.task("two")
                    .reads(data.rows(1, 4))
                    .run(context -> seen[1] = context.memory(data.rows(1, 4)).getInt(2));
            graph.await();
            graph.task("look").reads(data.rows(1, 2)).on(Target.EMULATED).run(look);
            graph.await();
        }
        assertEquals("[10, 30, 10]", Arrays.toString(seen));
    }
}
