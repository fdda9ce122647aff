package dev.jacquard.flow.runtime;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.testing.SeededWorkers;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pool with buffers for all, so that nobody waits and everybody is in the ledger at the same time. */
@Timeout(180)
class LedgerTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 100_000;
    private static final int SIZE = 64;

    private static void together(Callable<?> work) throws InterruptedException, ExecutionException {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> parts = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                parts.add(pool.submit(() -> {
                    start.await();
                    for (int round = 0; round < ROUNDS; round++) {
                        work.call();
                    }
                    return null;
                }));
            }
            for (Future<?> part : parts) {
                part.get();
            }
        }
    }

    private static Pool pool(BufferGrants ledger, boolean dynamic) {
        MemoryEdge<Object> edge = new MemoryEdge<>("m", SIZE, Object::new);
        Pool pool = new Pool("m", dynamic ? edge.dynamic() : edge, edge.allocator());
        for (int i = 0; i < SIZE && !dynamic; i++) {
            pool.values.add(new Object());
        }
        ledger.add(pool);
        return pool;
    }

    static Handle<Object> lend(Loans loans, Pool pool, ReleaseRule rule) {
        return loans.lend(new Lease(loans, pool, "test", rule, 0, false), null, new WakeList());
    }

    private static void lendAndRelease(boolean dynamic) throws InterruptedException, ExecutionException {
        BufferGrants ledger = new BufferGrants(Clock.system(), () -> {}, new Breakage());
        Loans loans = new Loans(ledger, StageTest::handle);
        Pool pool = pool(ledger, dynamic);
        together(() -> {
            Waiter waiter = new Waiter(pool, 0, "test", true, 0);
            ledger.request(waiter, new WakeList());
            assertEquals(Waiter.Answer.GRANTED, waiter.answer());
            Handle<Object> buffer = lend(loans, pool, ReleaseRule.once());
            loans.release(buffer, new WakeList());
            return buffer;
        });
        assertEquals(SIZE, pool.free);
        assertEquals(0, pool.live);
        assertEquals(THREADS * ROUNDS, pool.taken);
        assertEquals(dynamic ? 0 : SIZE, pool.values.size());
    }

    @Test
    void recycledBuffersAreAllThereAfterwards() throws InterruptedException, ExecutionException {
        lendAndRelease(false);
    }

    @Test
    void allocatedBuffersAreAllReturnedAfterwards() throws InterruptedException, ExecutionException {
        lendAndRelease(true);
    }

    /** Between the grant and the loan of a thread outside of the graph the run may be closed. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsGrantedBeforeTheEndIsNotLentBehindIt(boolean dynamic) {
        BufferGrants ledger = new BufferGrants(Clock.system(), () -> {}, new Breakage());
        Loans loans = new Loans(ledger, StageTest::handle);
        Pool pool = pool(ledger, dynamic);
        Waiter waiter = new Waiter(pool, 0, "test", true, 0);
        ledger.request(waiter, new WakeList());
        ledger.end();
        assertEquals(List.of(), loans.freeAll());
        assertMentions(
                assertThrows(IllegalStateException.class, () -> lend(loans, pool, ReleaseRule.once())),
                "the run is over, so that no buffer of memory edge \"m\" is lent any more");
        assertEquals(SIZE, pool.free);
        assertEquals(0, pool.live);
    }

    @Test
    void whatIsGrantedAndNotTakenIsGivenBack() throws InterruptedException, ExecutionException {
        BufferGrants ledger = new BufferGrants(Clock.system(), () -> {}, new Breakage());
        Pool pool = pool(ledger, true);
        Loans loans = new Loans(ledger, StageTest::handle);
        Stage stage = StageTest.stage(ledger, new BufferNeed[] {new BufferNeed(pool, 2, 0)});
        together(() -> {
            stage.append(null, new Object[] {"item"}, 1, null);
            Object[] taken = new Object[1];
            while (stage.take(taken, 1, new CopyCounters(), null, new WakeList()) == 0) {
                Thread.onSpinWait();
            }
            Granted granted = (Granted) taken[0];
            granted.use(pool, 0);
            Handle<Object> buffer = lend(loans, pool, ReleaseRule.once());
            ledger.giveBack(granted, true, new WakeList());
            loans.release(buffer, new WakeList());
            return null;
        });
        assertEquals(SIZE, pool.free);
        assertEquals(0, stage.backlog());
    }

    @Test
    void aLoanEndsOnceThoughItsRuleSaysFreeTwice() throws Exception {
        BufferGrants ledger = new BufferGrants(Clock.system(), () -> {}, new Breakage());
        Loans loans = new Loans(ledger, StageTest::handle);
        Pool pool = pool(ledger, false);
        ledger.request(new Waiter(pool, 0, "test", true, 0), new WakeList());
        List<Handle<Object>> lent = new ArrayList<>();
        ReleaseRule again = () -> {
            Handle<Object> buffer = lent.getFirst();
            if (lent.size() == 1) {
                lent.add(buffer);
                try {
                    loans.release(buffer, new WakeList());
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
            return true;
        };
        lent.add(lend(loans, pool, again));
        assertThrows(IllegalStateException.class, () -> loans.release(lent.getFirst(), new WakeList()));
        assertEquals(SIZE, pool.free);
        assertEquals(SIZE, pool.values.size());
    }

    @Test
    void whoeverWaitsIsAnsweredWhenTheRunStops() throws InterruptedException, ExecutionException {
        BufferGrants[] ledgers = new BufferGrants[ROUNDS];
        List<List<Waiter>> waiters = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            ledgers[i] = new BufferGrants(Clock.system(), () -> {}, new Breakage());
            Pool pool = pool(ledgers[i], true);
            pool.free = 0;
            List<Waiter> four = new ArrayList<>();
            for (int j = 0; j < THREADS; j++) {
                four.add(new Waiter(pool, 0, "test", true, 0));
            }
            waiters.add(four);
        }
        AtomicInteger turn = new AtomicInteger();
        together(() -> {
            int mine = turn.getAndIncrement();
            int round = mine / THREADS;
            ledgers[round].request(waiters.get(round).get(mine % THREADS), new WakeList());
            if (mine % THREADS == 1) {
                ledgers[round].stop();
            }
            return null;
        });
        for (List<Waiter> four : waiters) {
            four.forEach(waiter -> assertEquals(Waiter.Answer.STOPPED, waiter.answer()));
        }
    }

    @Test
    void whoeverGivesUpLeavesTheLine() throws InterruptedException, ExecutionException {
        BufferGrants ledger = new BufferGrants(Clock.system(), () -> {}, new Breakage());
        Pool pool = pool(ledger, true);
        pool.free = 0;
        together(() -> {
            Thread.currentThread().interrupt();
            assertThrows(
                    InterruptedException.class,
                    () -> ledger.await(new Waiter(pool, 0, "test", true, 0), new SeededWorkers(1), new WakeList()));
            return null;
        });
        assertEquals(0, pool.threads.size());
    }
}
