package dev.jacquard.expressions.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.MemoryPlan.Policy;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random trees of formulas and loops of the user's, against the definitions, which are looked up point by point. */
class RandomTreesTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void treesOfBothKindsGiveWhatTheDefinitionsSay(long seed) {
        Random random = new Random(seed);
        DrawnModel drawn = new DrawnModel(random);
        for (Policy policy : Policy.values()) {
            for (boolean fuses : new boolean[] {true, false}) {
                for (Loops.Form form : List.of(Loops.Form.AUTO, Loops.Form.INTERPRETER)) {
                    Map<Tag<Cell>, DrawnModel.Known> roots = drawn.roots(random);
                    ExpressionTree tree = drawn.model
                            .tree(List.copyOf(roots.keySet()))
                            .fuse(fuses)
                            .fields(policy)
                            .loops(form);
                    assertEquals(
                            TreeGraphTest.edges(tree.taskGraph(), false),
                            TreeGraphTest.edges(tree.dependencyGraph(), true));
                    int workers = 1 + random.nextInt(3);
                    compare(tree, roots, workers, "seed " + seed + "\n" + tree);
                    for (Scheduler scheduler : List.of(Scheduler.PRIORITY, Scheduler.TOPOLOGICAL)) {
                        String what = "seed " + seed + ", " + scheduler.name() + '\n' + tree;
                        compare(tree.scheduler(scheduler), roots, workers, what);
                    }
                }
            }
        }
    }

    private static void compare(ExpressionTree tree, Map<Tag<Cell>, DrawnModel.Known> roots, int workers, String what) {
        try (Session session = Session.builder().workers(workers).open();
                FieldStore fields = FieldStore.open(session, tree.grid())) {
            fields.set(DrawnModel.T, (x, y, z) -> DrawnModel.set(x, y));
            CompiledGraph graph = tree.compile(fields);
            graph.run();
            graph.run();
            assertTrue(
                    session.data().transfers().spaces().getFirst().peak()
                            <= tree.memory().bytes(),
                    what);
            roots.forEach((tag, its) -> {
                double[] found = fields.values(tag);
                for (int y = 0; y < 6; y++) {
                    for (int x = 0; x < 9; x++) {
                        assertEquals(its.value().at(x, y), found[9 * y + x], tag + " at " + x + ", " + y + "\n" + what);
                    }
                }
            });
        }
    }
}
