package dev.jacquard.components.program;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
}
