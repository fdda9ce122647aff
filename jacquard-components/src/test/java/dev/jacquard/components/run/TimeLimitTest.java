package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.testkit.BusyCarriers;
import dev.jacquard.testkit.Watchdog;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The limit of a component's time: the component is interrupted, whatever others do, and its thread is not left so. */
class TimeLimitTest {
    private final AtomicReference<@Nullable String> told = new AtomicReference<>();

    /** Computes until the limit was told, and it is interrupted. */
    private final class Spins implements Component {
        @Override
        public String name() {
            return "spins";
        }

        @Override
        public String description() {
            return "computes";
        }

        @Override
        public boolean neverWaits() {
            return true;
        }

        @Override
        public Instance open(ComponentContext context) {
            return () -> {
                while (told.get() == null
                        || !Thread.currentThread().isInterrupted()
                        || !context.cancellation().isCancelled()) {
                    Thread.onSpinWait();
                }
                return true;
            };
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    @Timeout(180)
    void isToldWhenItPassesAndInterruptsTheComponent(RunMode mode, @TempDir Path folder) throws Exception {
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord message) {
                told.set(message.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.jacquard.components");
        Catalog catalog = Catalog.of(List.of()).plus(List.of(new Spins()));
        Programs programs = new Programs(folder);
        Program program = programs.load("""
                workers: 1
                components:
                  a: {component: spins, timeLimit: 0.02}
                """, mode, catalog);
        String message = "component 'a' (spins, " + Spins.class.getName() + ") took longer than its limit of 0.02 s";
        logger.addHandler(handler);
        try {
            Exception failure = assertThrows(ComponentFailedException.class, () -> programs.run(program));
            assertEquals(message, failure.getMessage());
        } finally {
            logger.removeHandler(handler);
        }
        assertEquals(message, told.get());
        assertFalse(Thread.interrupted(), "the thread that runs a serial program");
    }

    private static void spinUntil(CountDownLatch event) {
        while (event.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    /**
     * Runs a program with {@code computing} parts that compute until another one, which has a limit, is interrupted.
     */
    private static void runNextTo(int computing, Path folder) throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(computing);
        Scripted.is("naps", context -> () -> {
            Watchdog.await(begun, "the others compute");
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
            }
            return true;
        });
        Scripted.is("computes", context -> () -> {
            begun.countDown();
            spinUntil(interrupted);
            return true;
        });
        StringBuilder text = new StringBuilder("components:\n  nap: {component: scripted, id: naps, timeLimit: 0.2}\n");
        for (int i = 0; i < computing; i++) {
            text.append("  c").append(i).append(": {component: scripted, id: computes}\n");
        }
        Programs programs = new Programs(folder);
        Program program = programs.load(text.toString(), RunMode.PARALLEL, Catalog.of(List.of()));
        String message = assertThrows(ComponentFailedException.class, () -> programs.run(program))
                .getMessage();
        assertEquals(
                "component 'nap' (scripted, " + Scripted.class.getName() + ") took longer than its limit of 0.2 s",
                message);
    }

    @Test
    @Timeout(180)
    void passesWhileOthersCompute(@TempDir Path folder) throws Exception {
        runNextTo(2 * Runtime.getRuntime().availableProcessors(), folder);
    }

    @Test
    @Timeout(180)
    void passesWhileVirtualThreadsCompute(@TempDir Path folder) throws Exception {
        try (BusyCarriers _ = new BusyCarriers()) {
            runNextTo(0, folder);
        }
    }

    /** Handlers of the log are users' code: the interrupt does not wait for them. */
    @Test
    @Timeout(180)
    void passesWhileTheLogBlocks(@TempDir Path folder) throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CompletableFuture<Thread> logging = new CompletableFuture<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord message) {
                logging.complete(Thread.currentThread());
                Watchdog.await(interrupted, "the component is interrupted");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Scripted.is("naps", context -> () -> {
            try {
                new CountDownLatch(1).await();
            } finally {
                interrupted.countDown();
            }
            return true;
        });
        Programs programs = new Programs(folder);
        Program program = programs.load("""
                components:
                  a: {component: scripted, id: naps, timeLimit: 0.02}
                """, RunMode.PARALLEL, Catalog.of(List.of()));
        Logger logger = Logger.getLogger("dev.jacquard.components");
        logger.addHandler(handler);
        try {
            assertThrows(ComponentFailedException.class, () -> programs.run(program));
            assertNotEquals("jacquard-timer", logging.join().getName());
        } finally {
            logger.removeHandler(handler);
        }
    }
}
