package dev.jacquard.core.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Resource;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Code order is access order. */
class StepsTest {
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private int time;

    @Test
    void theReadersOfAStepRunBetweenItAndTheNext() {
        try (Session session = Session.open()) {
            TaskGraph graph = session.graph().window(1_000); // a loop of any length, within bounded memory
            Resource field = session.resource("field");
            for (int n = 0; n < 100; n++) {
                graph.task("step").updates(field).run(this::step);
                graph.task("probe").reads(field).run(this::probe); // the readers of one step run side by side
                graph.task("plot").reads(field).run(this::plot);
            }
            graph.await();
        }
        assertEquals(200, seen.size());
        for (int step = 1; step <= 100; step++) {
            assertEquals(1, Collections.frequency(seen, "probe " + step));
            assertEquals(1, Collections.frequency(seen, "plot " + step));
        }
    }

    private void step(TaskContext ctx) {
        time++;
    }

    private void probe(TaskContext ctx) {
        seen.add("probe " + time);
    }

    private void plot(TaskContext ctx) {
        seen.add("plot " + time);
    }
}
