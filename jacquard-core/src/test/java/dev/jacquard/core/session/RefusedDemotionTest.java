package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Demotions that an access of the user's refuses by what it throws. */
@Timeout(180)
class RefusedDemotionTest {
    /** Conflicts with all, and throws when it is asked while it is told to. */
    private record Moody(AtomicBoolean throwing) implements WritingAccess {
        @Override
        public boolean conflictsWith(Access earlier) {
            if (throwing.get()) {
                throw new IllegalStateException("not now");
            }
            return true;
        }
    }

    @Test
    void aRefusedDemotionLeavesWhatAFailureCancels() {
        AtomicBoolean throwing = new AtomicBoolean();
        CountDownLatch submitted = new CountDownLatch(1);
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            TaskGraph graph = session.graph();
            graph.task("fails").updates(x).run(ctx -> {
                Watchdog.await(submitted, "nothing behind it");
                throwing.set(true);
                assertThrows(IllegalStateException.class, () -> ctx.demote(x, Access.read()));
                throwing.set(false);
                throw new IOException("half written");
            });
            Task<Integer> reads = graph.task("reads").reads(x).call(ctx -> ctx.get(x)[0]);
            graph.task("moody").accesses(x, new Moody(throwing)).run(ctx -> {});
            submitted.countDown();
            assertThrows(TaskFailedException.class, reads::join);
        }
    }
}
