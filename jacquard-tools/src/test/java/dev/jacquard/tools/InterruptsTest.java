package dev.jacquard.tools;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.Cancellation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InterruptsTest {
    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP"})
    void theFirstSignalCancels(String name) throws Exception {
        Signals.assumeTaken(name);
        Cancellation cancellation = new Cancellation();
        CountDownLatch cancelled = new CountDownLatch(1);
        cancellation.onCancel(cancelled::countDown);
        Interrupts interrupts = Interrupts.cancelling(cancellation, new PrintWriter(new StringWriter()));
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Object interrupt = signal.getConstructor(String.class).newInstance(name);
            signal.getMethod("raise", signal).invoke(null, interrupt);
            assertTrue(cancelled.await(10, TimeUnit.SECONDS), "cancelled within 10 s");
        } finally {
            interrupts.close();
        }
        assertTrue(cancellation.isCancelled());
    }
}
