package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.Mode;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The limit of a component that never waits: it is interrupted, and its thread is not left so. */
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
    @Timeout(60)
    void isToldWhenItPassesAndInterruptsTheComponent(Mode mode, @TempDir Path folder) throws Exception {
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
}
