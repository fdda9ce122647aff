package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs of compiled graphs which need, as a whole, the memory that an open view has, and task by task do not. */
@Timeout(180)
class RunsBesideViewsTest {
    private static final int LENGTH = 512;

    @TempDir
    Path folder;

    @Test
    void theThreadOfTheViewWaitsForRuns() {
        long bytes = LENGTH * 8L;
        try (Session session = Session.builder()
                .workers(2)
                .hostMemory(3 * bytes)
                .disk(folder, 10 * bytes, false)
                .open()) {
            Data[] data = new Data[4];
            for (int i = 0; i < data.length; i++) {
                Data its = session.data().vector("data " + i, DataType.FLOAT64, LENGTH);
                data[i] = its;
                session.graph()
                        .task("first")
                        .writes(its)
                        .run(ctx -> ctx.memory(its).setDouble(0, 1));
            }
            CompiledGraph doubles = session.record("doubles", rec -> {
                for (int i = 1; i < 3; i++) {
                    Data from = data[i];
                    Data to = data[i + 1];
                    rec.task("double")
                            .reads(from)
                            .updates(to)
                            .run(ctx -> ctx.memory(to)
                                    .setDouble(0, 2 * ctx.memory(from).getDouble(0)));
                }
            });
            assertEquals(CompiledGraph.DataUse.HOST, doubles.dataUse());
            doubles.run();
            try (UserView view = session.data().open(data[0], Mode.READ)) {
                doubles.run();
                doubles.submit(session.graph(), "doubles");
                session.graph().await();
                assertEquals(1, view.memory().getDouble(0));
            }
            doubles.run();
            try (UserView view = session.data().open(data[3], Mode.READ)) {
                assertEquals(4, view.memory().getDouble(0));
            }
        }
    }
}
