package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.testkit.Watchdog;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions that drivers run when the run ends in the midst of them. */
@Timeout(60)
class EarlyEndOfFunctionsTest {
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
