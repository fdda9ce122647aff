package dev.jacquard.components.program;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CancellationTest {
    @Test
    void actionsRunOnceWhetherRegisteredBeforeOrAfter() {
        Cancellation cancellation = new Cancellation();
        AtomicInteger runs = new AtomicInteger();
        cancellation.onCancel(runs::incrementAndGet);
        assertDoesNotThrow(cancellation::check);
        cancellation.cancel();
        cancellation.cancel();
        assertEquals(1, runs.get());
        cancellation.onCancel(runs::incrementAndGet);
        assertEquals(2, runs.get());
        assertThrows(CancellationException.class, cancellation::check);
    }

    @Test
    void actionsRunBehindOneThatThrows() {
        Cancellation cancellation = new Cancellation();
        AtomicInteger runs = new AtomicInteger();
        IllegalStateException first = new IllegalStateException("first");
        cancellation.onCancel(runs::incrementAndGet);
        cancellation.onCancel(() -> {
            throw first;
        });
        cancellation.onCancel(runs::incrementAndGet);
        cancellation.onCancel(() -> {
            throw new IllegalArgumentException("second");
        });
        cancellation.onCancel(runs::incrementAndGet);
        assertSame(first, assertThrows(IllegalStateException.class, cancellation::cancel));
        assertEquals("second", first.getSuppressed()[0].getMessage());
        assertEquals(3, runs.get());
        cancellation.cancel();
        assertEquals(3, runs.get());
    }

    @Test
    void actionsThatAreTakenBackDoNotRun() {
        Cancellation cancellation = new Cancellation();
        AtomicInteger runs = new AtomicInteger();
        Runnable action = runs::incrementAndGet;
        Cancellation.Registration first = cancellation.onCancel(action);
        Cancellation.Registration second = cancellation.onCancel(action);
        cancellation.onCancel(action);
        List.of(first, first, second).forEach(Cancellation.Registration::close);
        cancellation.cancel();
        assertEquals(1, runs.get());
    }
}
