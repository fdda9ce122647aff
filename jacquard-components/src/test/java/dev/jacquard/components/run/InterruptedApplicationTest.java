package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.components.component.Application;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.run.Program.Choices;
import dev.jacquard.components.run.Program.Surroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application that runs alone is interrupted when its run is cancelled. */
@Timeout(60)
class InterruptedApplicationTest {
    /** Waits for ever, without a look at its cancellation. */
    private static final class Waiting implements Application {
        final CountDownLatch begun = new CountDownLatch(1);

        @Override
        public String name() {
            return "waiting";
        }

        @Override
        public String description() {
            return "waits for ever";
        }

        @Override
        public List<Setting<?>> settings() {
            return List.of();
        }

        @Override
        public Report run(Job run) throws InterruptedException {
            begun.countDown();
            new CountDownLatch(1).await();
            return new Report(List.of(), Map.of());
        }
    }

    @Test
    void aCancelledApplicationIsInterrupted(@TempDir Path folder) throws Exception {
        Waiting waiting = new Waiting();
        Path file = Files.writeString(folder.resolve("p.yaml"), "component: waiting");
        Catalog catalog = Catalog.of(List.of()).plus(List.of(waiting));
        Program program = Program.load(file, new Choices(List.of(), null, catalog, null));
        Cancellation cancellation = new Cancellation();
        Thread user = Thread.ofVirtual().start(() -> {
            try {
                waiting.begun.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            cancellation.cancel();
        });
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            Surroundings its = new Surroundings(out, Progress.NONE, cancellation, false);
            assertThrows(InterruptedException.class, () -> program.run(its));
        }
        user.join();
        assertFalse(Thread.currentThread().isInterrupted(), "the interrupt is over with the run");
    }
}
