package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.Scripted;
import dev.jacquard.testkit.Watchdog;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that only the main thread or a target's threads may run. */
@Timeout(180)
class MainThreadTest {
    private static final ExecutionTarget FPGA = ExecutionTarget.named("fpga");

    @Test
    void runMainEndsWithTheSession() throws InterruptedException {
        AtomicReference<Session> session = new AtomicReference<>();
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        CountDownLatch opened = new CountDownLatch(1);
        AtomicReference<@Nullable Thread> ranOn = new AtomicReference<>();
        Thread main = new Thread(() -> {
            Watchdog.await(opened, "the session");
            try {
                Objects.requireNonNull(session.get()).runMain();
            } catch (InterruptedException | RuntimeException e) {
                thrown.set(e);
            }
        });
        main.start();
        try (Session opening = Session.builder().workers(2).mainThread(main).open()) {
            session.set(opening);
            opened.countDown();
            opening.executor().ready(new Scripted("n", Place.MAIN, worker -> {
                ranOn.set(Thread.currentThread());
                opening.signal();
            }));
            opening.awaitUntil(() -> ranOn.get() != null);
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> opening.runMain(() -> true)),
                    "only the main thread runs main tasks",
                    main.getName());
        }
        main.join();
        assertSame(main, ranOn.get());
        assertSame(null, thrown.get());
    }

    @Test
    void theOpenerMustSayUntilWhenItRunsMainNodes() throws InterruptedException {
        AtomicBoolean ran = new AtomicBoolean();
        try (Session session = Session.builder().workers(1).open()) {
            session.executor().ready(new Scripted("n", Place.MAIN, worker -> ran.set(true)));
            session.runMain(ran::get);
            assertMentions(
                    assertThrows(IllegalStateException.class, session::runMain),
                    "would wait for itself",
                    "say until when");
        }
    }

    @Test
    void withoutAMainThreadItsNodesAreRefused() {
        try (Session session = Session.builder().workers(1).noMainThread().open()) {
            assertFalse(session.executor().hasMain());
            assertMentions(
                    assertThrows(
                            IllegalStateException.class,
                            () -> session.executor().ready(new Scripted("n", Place.MAIN, worker -> {}))),
                    "for the main thread, and this session has none");
        }
    }

    @Test
    void aSessionSaysWhichTargetsItHas() {
        try (Session session = Session.builder().workers(1).workersFor(FPGA, 1).open()) {
            assertEquals(Place.HOST, session.executor().place(ExecutionTarget.HOST));
            assertEquals(
                    FPGA.name(),
                    Objects.requireNonNull(session.executor().place(FPGA)).name());
            assertNull(session.executor().place(ExecutionTarget.CUDA));
            assertEquals(Set.of(ExecutionTarget.HOST, FPGA), session.targets());
        }
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Session.builder()
                                .workersFor(ExecutionTarget.HOST, 2)
                                .open()),
                "the host's workers are set by workers(n)");
        assertMentions(
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Session.builder().workersFor(FPGA, 0).open()),
                "workers for target fpga must be 1 to 4096, not 0");
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> ExecutionTarget.named(" ")),
                "a target needs a name");
    }
}
