package dev.jacquard.core.compiled;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.schedule.Policies;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A graph with a schedule of its own under a policy that asks for times. */
class TurnTimesTest {
    @Test
    void thePolicyKnowsHowLongTheTasksOfAScheduleTake() {
        List<Long> expected = new ArrayList<>();
        try (Session session = Session.builder()
                .workers(1)
                .policy(Policies.named("priority"))
                .placement((task, machine) -> {
                    if (task.name().startsWith("task ")) {
                        expected.add(task.expectedNanos());
                    }
                    return machine.places().getFirst();
                })
                .open()) {
            CompiledGraphBuilder builder = session.compile("graph");
            for (int i = 0; i < 3; i++) {
                builder.task("task " + i, context -> {});
            }
            CompiledGraph graph = builder.scheduler(Scheduler.PRIORITY).build();
            graph.run();
            expected.clear();
            graph.run();
            assertFalse(expected.isEmpty());
            assertTrue(expected.stream().allMatch(nanos -> nanos > 0), expected::toString);
        }
    }
}
