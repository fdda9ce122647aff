package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.DeadlineException;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskGraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Deadlines that pass while the last tasks of their graphs end. */
@Timeout(180)
class DeadlineAtTheEndTest {
    private static final int GRAPHS = 4_000;

    /** Each await tells the deadline or sees all tasks over; then nothing may tell it later, such as close. */
    @Test
    void aGraphThatAnAwaitHasSeenOverIsNotLate() {
        List<TaskGraph> over = new ArrayList<>();
        int late = 0;
        long nanos = 100_000;
        try (Session session = Session.builder().workers(2).open()) {
            for (int i = 0; i < GRAPHS; i++) {
                TaskGraph graph = session.graph("graph " + i, FailurePolicy.CONTINUE);
                for (int task = 0; task < 20; task++) {
                    graph.task("task").run(context -> {});
                }
                graph.deadline(Duration.ofNanos(nanos));
                for (int task = 0; task < 20; task++) {
                    graph.task("task").run(context -> {});
                }
                try {
                    graph.await();
                    over.add(graph);
                    nanos = Math.max(1_000, nanos - nanos / 16); // so that about half of them pass
                } catch (DeadlineException e) {
                    late++;
                    nanos += nanos / 16;
                }
            }
        } // throws what no await has told
        assertEquals(List.of(), over.stream().filter(TaskGraph::isCancelled).toList());
        assertTrue(!over.isEmpty(), late + " of " + GRAPHS + " were late");
    }
}
