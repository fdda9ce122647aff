package dev.jacquard.core.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.core.session.SessionBuilder;
import dev.jacquard.engine.schedule.MinimumLoad;
import dev.jacquard.engine.schedule.Placement;
import dev.jacquard.engine.schedule.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders, placements and policies of the user. */
class OwnPolicyTest {
    @Test
    void anOrderOfTheUsersDecidesWhatIsNext() {
        assertEquals(List.of("c", "b", "a"), ran(Session.builder().order(Lifo::new)));
    }

    @Test
    void aPolicyOfTheUsersIsFoundByItsName() {
        assertEquals(List.of("c", "b", "a"), ran(Session.builder().policy(Policies.named("lifo"))));
    }

    @Test
    void anotherPlacementKeepsThePolicysOrder() {
        assertEquals(
                List.of("c", "b", "a"),
                ran(Session.builder().policy(new LifoPolicy()).placement((task, machine) -> 0)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void orderAndPlacementAreCombined(int workers) {
        AtomicInteger ran = new AtomicInteger();
        try (Session session = Session.builder()
                .workers(workers)
                .order(Lifo::new)
                .placement(new MinimumLoad())
                .open()) {
            TaskGraph graph = session.graph();
            for (int i = 0; i < 1000; i++) {
                graph.task("t").run(context -> ran.incrementAndGet());
            }
            graph.await();
            assertEquals(1000, ran.get());
        }
    }

    @Test
    void aPlacementReadsFlagsOfTheUsers() {
        Placement first = (task, machine) -> task.has("small") ? 0 : machine.workers() - 1;
        try (Session session = Session.builder()
                .workers(3)
                .policy(Policies.named("pinned")) // nobody takes what was placed on another
                .placement(first)
                .open()) {
            TaskGraph graph = session.graph();
            AtomicInteger inPlace = new AtomicInteger();
            for (int i = 0; i < 20; i++) {
                graph.task("small").flag(Flag.named("small")).run(ctx -> inPlace.addAndGet(ctx.worker() == 0 ? 1 : 0));
                graph.task("large").run(ctx -> inPlace.addAndGet(ctx.worker() == 2 ? 1 : 0));
            }
            graph.await();
            assertEquals(40, graph.report().done());
            assertEquals(40, inPlace.get());
        }
    }

    /** The order in which one worker runs three tasks that are ready together. */
    private static List<String> ran(SessionBuilder builder) {
        List<String> ran = new ArrayList<>();
        try (Session session = builder.workers(1).open()) {
            TaskGraph graph = session.graph();
            for (String name : List.of("a", "b", "c")) {
                graph.task(name).run(context -> ran.add(context.name()));
            }
            graph.await();
        }
        return ran;
    }
}
