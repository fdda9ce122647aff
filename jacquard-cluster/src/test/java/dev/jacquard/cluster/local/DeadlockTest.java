package dev.jacquard.cluster.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.cluster.communicator.AbortedException;
import dev.jacquard.cluster.communicator.CommunicationException;
import dev.jacquard.cluster.communicator.Communicator;
import dev.jacquard.cluster.communicator.DeadlockException;
import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Reduction;
import dev.jacquard.cluster.communicator.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that wait for each other, fail, or end the others. */
@Timeout(60)
class DeadlockTest {
    private static String deadlock(LocalRanks ranks, RankBody<Integer> body) {
        return String.valueOf(
                assertThrows(DeadlockException.class, () -> ranks.run(body)).getMessage());
    }

    @Test
    void receivesInACircleAreToldByTheirCycle() {
        String text = deadlock(LocalRanks.of(3), comm -> {
            comm.receive(Elements.of(0), (comm.rank() + 1) % 3, 10 + comm.rank());
            return 0;
        });
        assertEquals(
                "deadlock: rank 0 waits for a message of rank 1 with tag 10; rank 1 waits for a message of rank 2 with"
                        + " tag 11; rank 2 waits for a message of rank 0 with tag 12",
                text);
    }

    @Test
    void largeSendsToEachOtherWaitForTheirReceives() {
        String text = deadlock(LocalRanks.of(2), comm -> {
            comm.send(Elements.of(new double[100_000]), 1 - comm.rank(), 3);
            comm.receive(Elements.of(new double[100_000]), 1 - comm.rank(), 3);
            return 0;
        });
        assertTrue(text.contains("rank 0 waits for the receive of a message of rank 1 with tag 3"), text);
    }

    @Test
    void aRankThatHasEndedSendsNothingMore() {
        String text = deadlock(LocalRanks.of(2), comm -> {
            if (comm.rank() == 0) {
                comm.receive(Elements.of(0), 1, 5);
            } else {
                comm.send(Elements.of(0), 0, 6);
            }
            return 0;
        });
        assertEquals(
                "deadlock: rank 0 waits for a message of rank 1 with tag 5 (it has not received one of rank 1 with tag"
                        + " 6); rank 1 has ended",
                text);
    }

    @Test
    void collectiveOperationsAndOthersWaitForEachOther() {
        for (LocalRanks ranks : new LocalRanks[] {
            LocalRanks.of(4),
            LocalRanks.of(4).onVirtualThreads(),
            LocalRanks.of(4).inOrderOf(3),
            LocalRanks.of(4).over(new LocalRanks.Link(Duration.ofNanos(20_000), 1e9))
        }) {
            String text = deadlock(ranks, comm -> {
                if (comm.rank() == 2) {
                    comm.receive(Elements.of(0), Communicator.ANY_SOURCE, 1);
                } else {
                    comm.allreduce(Elements.of(1.0), Reduction.sum());
                }
                return 0;
            });
            assertTrue(text.contains("allreduce"), text);
        }
    }

    @Test
    void collectiveOperationsUnderWayAreNoDeadlock() throws InterruptedException {
        LocalRanks.of(3).run(comm -> {
            for (int i = 0; i < 300; i++) {
                double[] sum = {1};
                var request = comm.allreduceAsync(Elements.of(sum), Reduction.sum());
                comm.barrier();
                request.await();
                assertEquals(3, sum[0]);
            }
            return 0;
        });
    }

    /** Waits that end while others begin, so that nearly all ranks wait at any time; at last all do. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDeadlockIsReportedWhenItComesAndNotBefore(boolean onVirtualThreads) {
        int size = 4;
        int turns = onVirtualThreads ? 20_000 : 2_000;
        AtomicIntegerArray done = new AtomicIntegerArray(size);
        LocalRanks ranks = LocalRanks.of(size);
        String text = deadlock(onVirtualThreads ? ranks.onVirtualThreads() : ranks, comm -> {
            int right = (comm.rank() + 1) % size;
            int left = (comm.rank() + size - 1) % size;
            int[] token = {0};
            for (int turn = 0; turn < turns; turn++) {
                if (comm.rank() == turn % 3) {
                    comm.send(Elements.of(turn), right, 0);
                    comm.receive(Elements.of(token), left, 0);
                } else {
                    comm.receive(Elements.of(token), left, 0);
                    comm.send(Elements.of(token), right, 0);
                }
                assertEquals(turn, token[0]);
                done.incrementAndGet(comm.rank());
            }
            comm.receive(Elements.of(token), left, 1);
            return 0;
        });
        assertTrue(text.contains("rank 0 waits for a message of rank 3 with tag 1"), text);
        for (int rank = 0; rank < size; rank++) {
            assertEquals(turns, done.get(rank));
        }
    }

    @Test
    void aRankThatFailsEndsTheOthersAndIsNamed() {
        AbortedException aborted = assertThrows(
                AbortedException.class,
                () -> LocalRanks.of(4).run(comm -> {
                    if (comm.rank() == 2) {
                        throw new IllegalStateException("no more matter");
                    }
                    comm.receive(Elements.of(0), 2, 0);
                    return 0;
                }));
        assertEquals(2, aborted.rank());
        assertInstanceOf(IllegalStateException.class, aborted.getCause());
        assertTrue(String.valueOf(aborted.getMessage()).contains("rank 2"), aborted.getMessage());
    }

    @Test
    void aRankIsMadeToFail() {
        AtomicInteger sent = new AtomicInteger();
        AbortedException aborted = assertThrows(
                AbortedException.class,
                () -> LocalRanks.of(2).failing(1, 5).run(comm -> {
                    for (int i = 0; i < 10; i++) {
                        if (comm.rank() == 1) {
                            comm.send(Elements.of(i), 0, 0);
                            sent.incrementAndGet();
                        } else {
                            comm.receive(Elements.of(0), 1, 0);
                        }
                    }
                    return 0;
                }));
        assertEquals(1, aborted.rank());
        assertEquals(4, sent.get());
        assertInstanceOf(CommunicationException.class, aborted.getCause());
    }

    @Test
    void anAbortHasACodeAndEndsAll() {
        AbortedException aborted = assertThrows(
                AbortedException.class,
                () -> LocalRanks.of(3).run(comm -> {
                    if (comm.rank() == 1) {
                        throw comm.abort(7, "the model is wrong");
                    }
                    comm.barrier();
                    return 0;
                }));
        assertEquals(7, aborted.code());
        assertEquals("rank 1 ended all ranks: the model is wrong", aborted.getMessage());
    }

    @Test
    void anInterruptOfTheCallerEndsTheRanks() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(2);
        AtomicInteger ended = new AtomicInteger();
        Thread thread = Thread.ofPlatform().start(() -> {
            try {
                LocalRanks.of(2).sendingOnOtherThreads().run(comm -> {
                    started.countDown();
                    try {
                        comm.receive(Elements.of(0), 1 - comm.rank(), 0);
                    } finally {
                        ended.incrementAndGet();
                    }
                    return 0;
                });
            } catch (InterruptedException e) {
                ended.addAndGet(10);
            }
        });
        started.await();
        thread.interrupt();
        thread.join();
        assertEquals(12, ended.get());
    }

    @Test
    void thousandsOfRanksPassMessagesRound() throws InterruptedException {
        long sum = LocalRanks.of(2000)
                .onVirtualThreads()
                .run(comm -> {
                    long[] token = {comm.rank()};
                    for (int i = 0; i < 5; i++) {
                        long[] next = {0};
                        comm.exchange(
                                Elements.of(token),
                                (comm.rank() + 1) % comm.size(),
                                0,
                                Elements.of(next),
                                (comm.rank() + comm.size() - 1) % comm.size(),
                                0);
                        token = next;
                    }
                    return token[0];
                })
                .stream()
                .mapToLong(Long::longValue)
                .sum();
        assertEquals(1999L * 2000 / 2, sum);
    }

    /** More ranks poll than there are threads that carry virtual ones. */
    @Test
    void virtualRanksThatPollLetOthersRun() throws InterruptedException {
        int size = 4 * Runtime.getRuntime().availableProcessors();
        List<Integer> all = LocalRanks.of(size).onVirtualThreads().run(comm -> {
            int[] got = {0};
            if (comm.rank() + 1 < size) {
                Request receive = comm.receiveAsync(Elements.of(got), comm.rank() + 1, 0);
                while (!receive.isDone()) {
                    // the message comes from the rank that was started last
                }
                while (comm.poll(comm.rank() + 1, 1) == null) {
                    // the same
                }
            }
            if (comm.rank() > 0) {
                comm.send(Elements.of(got[0] + 1), comm.rank() - 1, 0);
                comm.send(Elements.of(0), comm.rank() - 1, 1);
            }
            return got[0];
        });
        assertEquals(size - 1, all.getFirst());
    }
}
