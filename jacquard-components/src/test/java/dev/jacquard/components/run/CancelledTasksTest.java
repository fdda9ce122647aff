package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A user who interrupts a program whose component waits for tasks of its own. */
class CancelledTasksTest {
    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aComponentThatWaitsForItsTasksIsCancelled(RunMode mode, @TempDir Path folder) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        Scripted.is("submits", context -> {
            TaskGraph graph = context.session().graph("its", FailurePolicy.STOP);
            context.cancellation().onCancel(graph::cancel);
            return () -> {
                graph.task("waits").interruptible().run(ctx -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                });
                graph.await();
                return true;
            };
        });
        Programs programs = new Programs(folder);
        Program program = programs.load("components:\n  a: {component: scripted, id: submits}\n", mode, "workers=2");
        Cancellation cancellation = new Cancellation();
        Thread canceller = Thread.ofPlatform().start(() -> {
            try {
                begun.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            cancellation.cancel();
        });
        assertThrows(CancellationException.class, () -> programs.run(program, cancellation));
        canceller.join();
        assertTrue(!Thread.interrupted(), "no interrupt is left behind");
    }
}
