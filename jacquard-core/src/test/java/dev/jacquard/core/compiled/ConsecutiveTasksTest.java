package dev.jacquard.core.compiled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.core.graph.RunSnapshot;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.Watchdog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Tasks that a worker runs one behind the other without a queue: all that comes between two tasks still does. */
class ConsecutiveTasksTest {
    private static CompiledGraph chain(Session session, int tasks, IntFunction<TaskBody> bodies) {
        Resource one = session.resource("one");
        return session.record("chain", recorder -> {
            for (int i = 0; i < tasks; i++) {
                recorder.task("t" + i).updates(one).run(bodies.apply(i));
            }
        });
    }

    @Test
    void aSnapshotNamesTheTaskThatRunsAndNotTheFirst() {
        try (Session session = Session.builder().workers(2).open()) {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            CompiledGraph graph = chain(
                    session,
                    5,
                    i -> i < 3
                            ? context -> {}
                            : context -> {
                                inside.countDown();
                                Watchdog.await(goOn, "the snapshot");
                            });
            graph.start();
            Watchdog.await(inside, "the body");
            RunSnapshot snapshot = session.snapshot();
            goOn.countDown();
            graph.join();
            assertEquals("t3", snapshot.running().getFirst().name(), snapshot.toString());
            assertTrue(
                    snapshot.workers().stream()
                            .anyMatch(worker -> worker.toString().contains("\"t3\"")),
                    snapshot.toString());
        }
    }

    @Test
    void anInterruptThatABodyLeavesBehindIsNotSeenByTheNext() {
        try (Session session = Session.builder().workers(1).open()) {
            List<Boolean> seen = new CopyOnWriteArrayList<>();
            chain(session, 4, i -> context -> {
                        seen.add(Thread.currentThread().isInterrupted());
                        Thread.currentThread().interrupt();
                    })
                    .run();
            assertEquals(List.of(false, false, false, false), seen);
            assertFalse(Thread.interrupted());
        }
    }

    @Test
    void whatAnotherThreadSubmitsComesNext() {
        for (int workers = 1; workers <= 2; workers++) {
            try (Session session = Session.builder().workers(workers).open()) {
                List<String> order = new CopyOnWriteArrayList<>();
                CountDownLatch ran = new CountDownLatch(1);
                CompiledGraph graph = chain(session, 60, i -> context -> {
                    order.add(context.name());
                    if (i == 10) {
                        Thread other = Thread.ofPlatform()
                                .start(() -> session.graph().task("other").run(inside -> {
                                    order.add("other");
                                    ran.countDown();
                                }));
                        Threads.join(other);
                    }
                });
                graph.run();
                Watchdog.await(ran, "the task of the other thread");
                int at = order.indexOf("other");
                if (workers == 1) {
                    assertTrue(at == 11 || at == 12, order::toString);
                }
                assertEquals(61, order.size());
            }
        }
    }

    /** What the user waits for is asked between nodes, so it may throw. */
    @Test
    void aQuestionOfTheUsersIsNotAskedInsideOfANode() throws InterruptedException {
        try (Session session = Session.builder().workers(1).open()) {
            AtomicInteger ran = new AtomicInteger();
            CompiledGraph graph = chain(session, 50, i -> context -> ran.incrementAndGet());
            graph.start();
            assertThrows(
                    ArithmeticException.class,
                    () -> session.awaitUntil(() -> {
                        assertFalse(session.executor().isInsideNode());
                        if (ran.get() > 5) {
                            throw new ArithmeticException("of the test");
                        }
                        return false;
                    }));
            assertEquals(6, ran.get());
            graph.join();
            assertEquals(50, ran.get());
        }
    }

    @Test
    void workersThatSleepAreToldOfTasksBeside() {
        try (Session session = Session.builder().workers(2).open()) {
            CountDownLatch both = new CountDownLatch(2);
            Resource root = session.resource("root");
            CompiledGraph graph = session.record("fork", recorder -> {
                recorder.task("root").updates(root).run(context -> {});
                for (int side = 0; side < 2; side++) {
                    Resource own = session.resource("side");
                    recorder.task("side").reads(root).updates(own).run(context -> {
                        both.countDown();
                        Watchdog.await(both, "the other side");
                    });
                }
            });
            for (int run = 0; run < 20; run++) {
                graph.run();
            }
            assertEquals(0, both.getCount());
        }
    }
}
