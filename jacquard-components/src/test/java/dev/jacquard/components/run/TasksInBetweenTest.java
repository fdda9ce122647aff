package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A task that runs on the thread of the component that submits, while the component's time limit passes. */
class TasksInBetweenTest {
    /** How long a component waits for its interrupt: far longer than that takes, and the test fails behind it. */
    private static final int PATIENCE_SECONDS = 20;

    /** More tasks than may be live without any that runs in between. */
    private static final int MOST_LIVE = 110_000;

    private volatile boolean taskSawIt;
    private volatile boolean waitedInVain;

    /** Submits tasks that outlast the limit until one runs in between, and then waits for its interrupt. */
    private final class Submits implements Component {
        private final boolean neverWaits;
        private final int window;
        private volatile boolean ran;

        Submits(boolean neverWaits, int window) {
            this.neverWaits = neverWaits;
            this.window = window;
        }

        @Override
        public String name() {
            return "submits";
        }

        @Override
        public String description() {
            return "submits";
        }

        @Override
        public boolean neverWaits() {
            return neverWaits;
        }

        @Override
        public Instance open(ComponentContext context) {
            TaskGraph graph = context.session().graph("its", FailurePolicy.STOP);
            if (window > 0) {
                graph.window(window);
            }
            return () -> {
                for (int i = 0; i < MOST_LIVE && !ran; i++) {
                    graph.task("outlasts the limit").run(ctx -> {
                        while (!context.cancellation().isCancelled()) { // which follows the interrupt
                            Thread.onSpinWait();
                        }
                        taskSawIt |= Thread.currentThread().isInterrupted();
                        ran = true;
                    });
                }
                waitedInVain = !new CountDownLatch(1).await(PATIENCE_SECONDS, TimeUnit.SECONDS);
                return true;
            };
        }
    }

    @ParameterizedTest
    @CsvSource({"SERIAL, false, 1", "SERIAL, false, 0", "PARALLEL, false, 1", "PARALLEL, true, 0"})
    void theInterruptOfTheLimitReachesTheComponentAndNotTheTask(
            RunMode mode, boolean neverWaits, int window, @TempDir Path folder) throws Exception {
        Programs programs = new Programs(folder);
        Program program =
                programs.load("""
                workers: 1
                components:
                  a: {component: submits, timeLimit: 0.5}
                """, mode, Catalog.of(List.of()).plus(List.of(new Submits(neverWaits, window))));
        Exception failure = assertThrows(ComponentFailedException.class, () -> programs.run(program));
        assertEquals(
                "component 'a' (submits, " + Submits.class.getName() + ") took longer than its limit of 0.5 s",
                failure.getMessage());
        assertFalse(taskSawIt, "the task was interrupted");
        assertFalse(waitedInVain, "the component was not interrupted");
        assertFalse(Thread.interrupted(), "the thread that runs a serial program is left interrupted");
    }
}
