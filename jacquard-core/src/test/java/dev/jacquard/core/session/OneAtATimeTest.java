package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.engine.schedule.Policies;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The policy that runs one task at a time, with targets and a main thread of its own. */
@Timeout(180)
class OneAtATimeTest {
    private static final ExecutionTarget DSP = new ExecutionTarget("dsp");

    @Test
    void bodiesForTargetsAndTheMainThreadWaitForTheirTurnToo() throws InterruptedException {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger ran = new AtomicInteger();
        TaskBody body = ctx -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            for (int i = 0; i < 2_000; i++) {
                Thread.onSpinWait();
            }
            inside.decrementAndGet();
            ran.incrementAndGet();
        };
        CountDownLatch closed = new CountDownLatch(1);
        Session[] opened = new Session[1];
        CountDownLatch ready = new CountDownLatch(1);
        Thread main = Thread.ofPlatform().start(() -> {
            try {
                ready.await();
                opened[0].runMain(() -> closed.getCount() == 0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try (Session session = Session.builder()
                .workers(2)
                .workersFor(DSP, 2)
                .mainThread(main)
                .policy(Policies.named("sequential"))
                .open()) {
            opened[0] = session;
            ready.countDown();
            for (int i = 0; i < 200; i++) {
                session.graph().task("host").run(body);
                session.graph().task("target").on(DSP).run(body);
                session.graph().task("main").flag(Flag.MAIN_THREAD).run(body);
            }
            session.graph().await();
            closed.countDown();
            session.signal();
        }
        main.join();
        assertEquals(600, ran.get());
        assertEquals(1, most.get());
    }
}
