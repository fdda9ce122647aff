package dev.jacquard.flow.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Breakage;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.task.Body;
import dev.jacquard.memory.data.Handle;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each operation of a stage, by four threads at once. */
@Timeout(180)
class StageTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 100_000;

    private static Stage stage() {
        return stage(new BufferGrants(Clock.system(), () -> {}, new Breakage()), new BufferNeed[0]);
    }

    static Handle<Object> handle(String name, Object value, Lease loan) {
        return new Handle<>(name, StageTest.class, value, null, null, null, loan);
    }

    static Stage stage(BufferGrants ledger, BufferNeed[] needs) {
        return stage(ledger, needs, 1);
    }

    static Stage stage(BufferGrants ledger, BufferNeed[] needs, int copies) {
        Body<Object, Object> body = (item, out) -> {};
        StagePlan plan = new StagePlan(
                "stage",
                Collections.nCopies(copies, body),
                List.of(),
                List.of(new int[0]),
                new StagePlan.MemoryUse(Map.of(), List.of(), Map.of()),
                StagePlan.Options.DEFAULT);
        StageSetup setup =
                new StageSetup(plan, List.of(), needs, new BusyTime(Clock.system(), List.of()), (item, problem) -> {});
        if (needs.length > 0) {
            setup.here = new TicketSet("stage", 0);
            setup.isFirstTaker = true;
        }
        Stage stage = new Stage(setup, ledger);
        for (BufferNeed need : needs) {
            need.pool().takers = new Request[] {Objects.requireNonNull(stage.line)};
        }
        return stage;
    }

    private static void together(Runnable work) throws InterruptedException, ExecutionException {
        CyclicBarrier start = new CyclicBarrier(THREADS);
        try (ExecutorService pool = Executors.newFixedThreadPool(THREADS)) {
            List<? extends Future<?>> parts = IntStream.range(0, THREADS)
                    .mapToObj(i -> pool.submit(() -> {
                        start.await();
                        for (int round = 0; round < ROUNDS; round++) {
                            work.run();
                        }
                        return null;
                    }))
                    .toList();
            for (Future<?> part : parts) {
                part.get();
            }
        }
    }

    @Test
    void closesAfterTheLastOfManyProducers() throws InterruptedException, ExecutionException {
        Stage stage = stage();
        stage.addProducers(THREADS * ROUNDS + 1);
        together(() -> assertEquals(null, stage.producerDone(null)));
        assertFalse(stage.closed());
        stage.producerDone(null);
        assertTrue(stage.closed());
    }

    @Test
    void everyChangeIsCounted() throws InterruptedException, ExecutionException {
        Stage stage = stage();
        together(() -> assertEquals(null, stage.changed(null)));
        assertEquals(THREADS * ROUNDS, stage.changes());
    }

    @Test
    void grantedItemsArriveWhileOthersAreTaken() throws InterruptedException, ExecutionException {
        Stage stage = stage();
        Object[] taken = new Object[1];
        together(() -> {
            stage.acceptGranted(new Granted(stage.setup.needs, "item", 1, 1, 0), new WakeList());
            stage.take(taken, 1, new CopyCounters(), null, new WakeList());
        });
        while (stage.take(taken, 1, new CopyCounters(), null, new WakeList()) > 0) {}
        assertEquals(-THREADS * ROUNDS, stage.backlog(), "each granted item is one that waits for its buffers less");
    }
}
