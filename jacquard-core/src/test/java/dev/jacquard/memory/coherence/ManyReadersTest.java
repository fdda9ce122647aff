package dev.jacquard.memory.coherence;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks on a device that all read what many tasks write, which end one behind the other. */
@Timeout(180)
class ManyReadersTest {
    private static final int WRITERS = 40;
    private static final int READERS = 3;

    @Test
    void areNotedOnceForEachWriter() {
        Kernel gather = Kernel.named("gather").onHost(arguments -> {});
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0"))
                .open()) {
            TaskGraph graph = session.graph();
            List<Data> all = new ArrayList<>();
            List<CompletableFuture<Boolean>> ends = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Data data = session.data().vector("x" + i, new double[4]);
                CompletableFuture<Boolean> end = new CompletableFuture<>();
                graph.task("write").writes(data).start(context -> end);
                all.add(data);
                ends.add(end);
            }
            for (int i = 0; i < READERS; i++) {
                TaskBuilder task = graph.task("gather").updates(session.data().vector("y" + i, new double[4]));
                all.forEach(task::reads);
                task.on(ExecutionTarget.EMULATED).run(gather);
            }
            ends.forEach(end -> end.complete(true)); // if each end doubled what follows, this would not end
            graph.await();
        }
    }
}
