package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.memory.data.Resource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Resources that are parts of parts of parts. */
@Timeout(180)
class DeepResourcesTest {
    private static final int LEVELS = 1000;

    private static List<Resource> chain(Session session) {
        List<Resource> chain = new ArrayList<>(List.of(session.resource("0")));
        while (chain.size() < LEVELS) {
            chain.add(session.resource("" + chain.size(), chain.getLast()));
        }
        return chain;
    }

    @Test
    void asManyLevelsAsThereMayBeOrderTasksAlsoInsideOfTasks() {
        List<Integer> order = new ArrayList<>(); // each access excludes the others
        try (Session session = Session.builder().workers(2).open()) {
            List<Resource> chain = chain(session);
            TaskGraph graph = session.graph();
            graph.task("deepest").updates(chain.getLast()).run(context -> order.add(1));
            graph.task("whole")
                    .updates(chain.getFirst())
                    .run(context -> context.refine(parts -> {
                        parts.task("inner").updates(chain.get(LEVELS / 2)).run(inner -> order.add(2));
                        parts.task("deepest").updates(chain.getLast()).run(inner -> order.add(3));
                    }));
            graph.task("middle").updates(chain.get(LEVELS / 2)).run(context -> order.add(4));
            graph.await();
        }
        assertEquals(List.of(1, 2, 3, 4), order);
    }

    @Test
    void oneMoreIsRefused() {
        try (Session session = Session.builder().workers(1).open()) {
            Resource last = chain(session).getLast();
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> session.resource("more", last)),
                    "resource \"more\" would be at level 1001 of its tree, which may have 1000");
        }
    }
}
