package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.testkit.Watchdog;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions that drivers run when the run ends in the midst of them. */
@Timeout(180)
class EarlyEndOfFunctionsTest {
    /** The driver is users' code; each function counts once, and close waits for its end, whoever runs it again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDriverThatRunsAFunctionTwiceHoldsUpNoClose(boolean onItsOwnThread) {
        AtomicInteger calls = new AtomicInteger();
        AtomicBoolean ended = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch again = new CountDownLatch(1);
        LinkedBlockingQueue<Runnable> given = new LinkedBlockingQueue<>();
        try (Session session = Session.builder().workers(2).open()) {
            Executor twice = function -> {
                given.add(function);
                session.executor().background(function);
            };
            session.graph().task("f").startOn(twice, ctx -> {
                calls.incrementAndGet();
                if (onItsOwnThread) {
                    given.element().run();
                } else {
                    begun.countDown();
                    Watchdog.await(again, "another thread has run it");
                }
                ended.set(true);
                return 1;
            });
            if (!onItsOwnThread) {
                Watchdog.await(begun, "the function");
                given.element().run();
                again.countDown();
            }
        }
        assertTrue(ended.get());
        assertEquals(1, calls.get());
    }

    @Test
    void closeInterruptsThemAndWaitsUntilTheyHaveEnded() {
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        Session session = Session.builder().workers(2).open();
        session.graph().task("f").startOn(session.executor()::background, ctx -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await(); // for ever, but for an interrupt
            } finally {
                for (int i = 0; i < 100_000; i++) {
                    Thread.onSpinWait();
                }
                ended.set(true);
            }
            return "ended";
        });
        Watchdog.await(begun, "the function");
        session.executor().fail(new IllegalStateException("broken on purpose"));
        assertMentions(assertThrows(IllegalStateException.class, session::close), "broken on purpose");
        assertTrue(ended.get());
    }
}
