package dev.jacquard.engine.schedule;

import static dev.jacquard.engine.schedule.PolicyGuardTest.assertBreach;
import static dev.jacquard.engine.schedule.PolicyGuardTest.guard;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.engine.plan.GraphPlacement;
import dev.jacquard.engine.plan.GraphPlacement.Limits;
import dev.jacquard.engine.plan.Plan;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.schedule.PolicyGuardTest.Job;
import dev.jacquard.engine.schedule.PolicyGuardTest.Own;
import dev.jacquard.engine.schedule.PolicyGuardTest.Queue;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans of whole graphs, as a guard takes them from a policy. */
class GuardedPlansTest {
    private static PolicyGuard<Job> planner(GraphPlacement placement) {
        return guard(new Own(Queue::new, null) {
            @Override
            public GraphPlacement graphPlacement() {
                return placement;
            }
        });
    }

    @Test
    @SuppressWarnings("NullAway") // wrong on purpose
    void plansHold() {
        WorkGraph.Builder built = new WorkGraph.Builder(List.of("p"));
        built.task("a", 2);
        built.task("b", 3);
        WorkGraph graph = built.edge(0, 1, 0).build();
        Limits limits = new Limits(7, 0);
        PolicyGuard<Job> right = planner((its, given) -> {
            assertSame(limits, given);
            return new Plan(new int[2], new double[] {0, 2}, new double[] {2, 5}, 5);
        });
        assertTrue(right.placesGraphs());
        assertEquals(5, right.plan(graph, limits).makespan());
        assertBreach(
                () -> planner((its, any) -> new Plan(new int[2], new double[] {0, 1}, new double[] {2, 4}, 4))
                        .plan(graph, limits),
                null,
                "made a plan that does not hold: \"b\" starts at 1.0, and the data of \"a\" is there at 2.0");
        assertBreach(
                () -> planner((its, any) -> null).plan(graph, limits),
                null,
                "made a plan that does not hold: it is null");
        assertBreach(
                () -> planner((its, any) -> {
                            throw new IllegalStateException("planned");
                        })
                        .plan(graph, limits),
                null,
                "threw from plan: java.lang.IllegalStateException: planned");
        PolicyGuard<Job> none = guard(new Own(Queue::new, null));
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> none.plan(graph, limits)),
                "policy \"own\" places task by task");
    }
}
