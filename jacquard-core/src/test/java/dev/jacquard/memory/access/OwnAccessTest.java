package dev.jacquard.memory.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.AccessTable.Kind;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.testing.AccessLaws;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The kinds of a user's own that the documentation shows. */
class OwnAccessTest {
    private record Keys(Set<String> keys, boolean writes) implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            return Mode.ofStranger(this).conflictsWith(earlier)
                    && !(earlier instanceof Keys other && Collections.disjoint(keys, other.keys));
        }

        @Override
        public boolean covers(Access other) {
            return Mode.ofStranger(other) == Mode.NONE
                    || (other instanceof Keys part && keys.containsAll(part.keys) && (writes || !part.writes));
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public Access whole() {
            return Mode.ofStranger(this);
        }
    }

    private static Set<String> draw(Random random) {
        Set<String> keys = new HashSet<>();
        for (String key : List.of("a", "b", "c")) {
            if (random.nextBoolean()) {
                keys.add(key);
            }
        }
        return keys;
    }

    /** Two that do not conflict would both have all of the data to write, perhaps in different memories. */
    @Test
    void dataRefusesKindsEvenIfTheirWholeIsAMode() {
        try (Session session = Session.open()) {
            Data data = session.data().vector("x", new long[2]);
            TaskBuilder task = session.graph().task("a");
            Keys key = new Keys(Set.of("a"), true);
            IllegalArgumentException refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> task.accesses(data, key).run(context -> {}));
            assertTrue(String.valueOf(refused.getMessage()).contains("built-in modes"), refused::toString);
        }
    }

    @Test
    void dataIsNotDemotedToSuchKinds() {
        try (Session session = Session.open()) {
            Data data = session.data().vector("x", new long[2]);
            IllegalArgumentException refused = session.graph()
                    .task("a")
                    .updates(data)
                    .call(context -> assertThrows(
                            IllegalArgumentException.class, () -> context.demote(data, new Keys(Set.of("a"), true))))
                    .join();
            assertTrue(String.valueOf(refused.getMessage()).contains("built-in modes"), refused::toString);
        }
    }

    @Test
    void keysKeepTheLaws() {
        AccessLaws.check(100, seed -> random -> new Keys(draw(random), random.nextBoolean()));
    }

    @Test
    void theTableOfTheDocumentation() {
        AccessTable table = AccessTable.of(
                List.of(
                        new Kind("fill", true, true),
                        new Kind("read", true, false),
                        new Kind("view", true, false),
                        new Kind("none", false, false)),
                new boolean[][] {
                    {false, true, false, false},
                    {true, false, false, false},
                    {false, false, false, false},
                    {false, false, false, false}
                });
        new AccessLaws(table.entries()).check();
        assertFalse(table.entry("view").conflictsWith(table.entry("fill")));
        assertTrue(table.entry("read").conflictsWith(table.entry("fill")));
        try (Session session = Session.builder().workers(2).open()) {
            Handle<int[]> histogram = session.wrap("histogram", new int[2]);
            TaskGraph graph = session.graph();
            for (int i = 0; i < 100; i++) {
                graph.task("fill").accesses(histogram, table.entry("fill")).run(context -> {
                    int[] bins = context.get(histogram);
                    synchronized (bins) {
                        bins[0]++;
                    }
                });
            }
            Access left = new AreaAccess(table.entry("read"), Area.of(0, 0));
            int found = graph.task("read")
                    .accesses(histogram, left)
                    .call(context -> context.get(histogram)[0])
                    .join();
            assertEquals(100, found);
        }
    }
}
