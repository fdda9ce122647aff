package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many barriers that wait at a time. A walk over all of them with each submission takes longer than the limit. */
@Timeout(180)
class ManyBarriersTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void eachBarrierComesBehindAllBeforeIt(int workers) {
        int barriers = 400_000;
        try (Session session = Session.builder().workers(workers).open()) {
            TaskGraph graph = session.graph();
            CompletableFuture<Void> holds = new CompletableFuture<>();
            graph.task("holds").start(ctx -> holds);
            int[] ran = new int[1];
            int[] wrong = new int[1];
            for (int i = 0; i < barriers; i++) {
                int number = i;
                graph.task("barrier").flag(Flag.SYNCHRONIZING).run(ctx -> wrong[0] += ran[0]++ == number ? 0 : 1);
            }
            assertEquals(0, ran[0]);
            holds.complete(null);
            graph.await();
            assertEquals(barriers, ran[0]);
            assertEquals(0, wrong[0]);
        }
    }

    /** The same if the barrier is over when the next task is submitted. */
    @Test
    void theHistoryKnowsWhatABarrierHeld() {
        for (boolean over : new boolean[] {false, true}) {
            try (Session session = Session.builder().workers(2).keepGraphs().open()) {
                TaskGraph graph = session.graph();
                graph.task("before").run(ctx -> {});
                Task<?> barrier = graph.task("barrier").flag(Flag.SYNCHRONIZING).run(ctx -> {});
                if (over) {
                    barrier.join();
                }
                graph.task("behind").run(ctx -> {});
                graph.await();
                assertEquals(
                        List.of("0 -> 1 BARRIER", "1 -> 2 BARRIER"),
                        graph.history().edges().stream()
                                .map(edge -> edge.earlier() + " -> " + edge.later() + ' ' + edge.kind())
                                .toList());
            }
        }
    }

    @Test
    void barriersComeAndGo() {
        try (Session session = Session.builder().workers(2).open()) {
            TaskGraph graph = session.graph();
            int[] sum = new int[1];
            for (int round = 0; round < 200; round++) {
                for (int i = 0; i < 3; i++) {
                    graph.task("barrier").flag(Flag.SYNCHRONIZING).run(ctx -> sum[0]++);
                }
                if (round % 2 == 0) {
                    graph.await();
                }
            }
            graph.await();
            assertEquals(600, sum[0]);
        }
    }
}
