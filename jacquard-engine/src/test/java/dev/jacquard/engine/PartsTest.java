package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.ThreadFunction;
import dev.jacquard.engine.work.WaitFlag;
import dev.jacquard.engine.work.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes whose worker goes on with parts of them. */
class PartsTest {
    /** Goes on as long as it may, and then makes itself ready for the rest. */
    private static final class Parts extends Node {
        private final int last;
        private final Runnable body;
        private int at;
        /** The parts behind which the worker did not go on. */
        private final List<Integer> ends = new ArrayList<>();

        Parts(int last, Runnable body) {
            this.last = last;
            this.body = body;
        }

        @Override
        public void run(WorkerContext worker) {
            body.run();
            while (at < last) {
                at++;
                if (!worker.goesOn(at)) {
                    ends.add(at);
                    worker.readyAtEnd(this);
                    return;
                }
                body.run();
            }
        }
    }

    /** A schedule whose workers go on. */
    private static SeededSchedule schedule(int workers) {
        for (long seed = 0; ; seed++) {
            SeededSchedule schedule = new SeededSchedule(seed, workers);
            if (schedule.goesOn()) {
                return schedule;
            }
        }
    }

    private static void submit(SeededSchedule schedule, Node node) {
        schedule.as(-1, () -> schedule.engine().ready(node));
    }

    @Test
    void partsCountAsNodesAndLooksComeInBetween() {
        SeededSchedule schedule = schedule(1);
        Parts parts = new Parts(1000, () -> {});
        submit(schedule, parts);
        Worker worker = schedule.engine().pool().crew.all()[0];
        int before = worker.nodes();
        schedule.stepUntilAllSleep();
        assertEquals(1000, parts.at);
        assertEquals(1001, worker.nodes() - before);
        assertFalse(parts.ends.isEmpty());
        assertTrue(parts.ends.size() < 100, parts.ends::toString); // it does go on
        for (int i = 1; i < parts.ends.size(); i++) {
            assertTrue(parts.ends.get(i) - parts.ends.get(i - 1) <= 64, parts.ends::toString);
        }
    }

    @Test
    void newsFromOutsideEndTheRow() {
        SeededSchedule schedule = schedule(1);
        List<String> order = new ArrayList<>();
        int[] runs = {0};
        Node news = new Node() {
            @Override
            public void run(WorkerContext worker) {
                order.add("news");
            }
        };
        Parts parts = new Parts(50, () -> {
            order.add("part");
            if (++runs[0] == 5) {
                submit(schedule, news);
            }
        });
        submit(schedule, parts);
        schedule.stepUntilAllSleep();
        assertEquals(51, runs[0]);
        assertTrue(order.indexOf("news") <= 6, order::toString);
    }

    @Test
    void whatWasMadeReadyBesideIsAnnouncedBeforeTheNextPart() {
        SeededSchedule schedule = schedule(3);
        schedule.stepUntilAllSleep();
        int[] awake = {0};
        Node nothing = new Node() {
            @Override
            public void run(WorkerContext worker) {}
        };
        submit(schedule, new Node() {
            @Override
            public void run(WorkerContext worker) {
                int before = schedule.awake().size();
                worker.readyBeside(nothing);
                assertEquals(before, schedule.awake().size());
                boolean _ = worker.goesOn(1);
                awake[0] = schedule.awake().size() - before;
            }
        });
        schedule.stepUntilAllSleep();
        assertEquals(1, awake[0]);
    }

    @Test
    void theEndOfTheWaitEndsTheRow() throws InterruptedException {
        try (Engine engine = Engine.of(1)) {
            WaitFlag over = new WaitFlag(false);
            int[] runs = {0};
            Parts parts = new Parts(50, () -> {
                if (++runs[0] == 10) {
                    startAndJoin(() -> {
                        over.set(true);
                        engine.signal();
                    });
                }
            });
            engine.ready(parts);
            engine.awaitFlag(over);
            assertEquals(10, runs[0]);
        }
    }

    /**
     * The first wait of a function goes on with parts; an interrupt of the function, or of one around it, ends the row.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anInterruptOfAFunctionAroundTheWaitEndsTheRow(boolean inner) throws InterruptedException {
        ThreadFunction outerOne = new ThreadFunction() {};
        ThreadFunction innerOne = new ThreadFunction() {};
        outerOne.begin();
        innerOne.begin();
        try (Engine engine = Engine.of(1)) {
            WaitFlag over = new WaitFlag(false);
            Parts uninterrupted = new Parts(1000, () -> {});
            engine.ready(uninterrupted);
            engine.ready(node(() -> over.set(true)));
            engine.awaitFlag(over);
            assertTrue(uninterrupted.ends.size() < 100, uninterrupted.ends::toString);
            int[] runs = {0};
            Parts parts = new Parts(50, () -> {
                if (++runs[0] == 10) {
                    startAndJoin(() -> assertTrue((inner ? innerOne : outerOne).interrupt()));
                }
                assertFalse(Thread.currentThread().isInterrupted());
            });
            engine.ready(parts);
            assertThrows(InterruptedException.class, () -> engine.awaitFlag(new WaitFlag(false)));
            assertEquals(10, runs[0]);
        } finally {
            innerOne.end();
            outerOne.end();
        }
    }

    @Test
    void soItDoesWhereAnotherWorkerLooksForNewsMeanwhile() throws InterruptedException {
        try (Engine engine = Engine.of(2)) {
            WaitFlag over = new WaitFlag(false);
            CountDownLatch occupied = new CountDownLatch(1);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch news = new CountDownLatch(1);
            startAndJoin(() -> engine.ready(node(() -> {
                occupied.countDown();
                await(begun);
            })));
            occupied.await(); // so the other worker takes no part of what follows
            int[] runs = {0};
            CompletableFuture<Thread> behind = new CompletableFuture<>();
            Parts parts = new Parts(50, () -> {
                runs[0]++;
                if (runs[0] == 10) {
                    startAndJoin(() -> {
                        over.set(true);
                        engine.signal();
                        engine.ready(node(news::countDown));
                    });
                    begun.countDown();
                    await(news);
                } else if (runs[0] == 11) {
                    behind.complete(Thread.currentThread());
                }
            });
            engine.ready(parts);
            engine.awaitFlag(over);
            assertNotSame(Thread.currentThread(), behind.join()); // which leaves the rest to the other worker
        }
    }

    private static Node node(Runnable body) {
        return new Node() {
            @Override
            public void run(WorkerContext worker) {
                body.run();
            }
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void startAndJoin(Runnable action) {
        try {
            Thread thread = new Thread(action);
            thread.start();
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
