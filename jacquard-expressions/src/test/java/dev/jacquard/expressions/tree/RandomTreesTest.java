package dev.jacquard.expressions.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.RowCache;
import dev.jacquard.expressions.tree.MemoryPlan.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
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

    /** Each runs again and again beside the others, which compute some of the same fields, and store them or not. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void treesOfOneStoreRunAtTheSameTime(long seed) {
        Random random = new Random(seed);
        DrawnModel drawn = new DrawnModel(random);
        List<Policy> policies = List.of(Policy.values());
        for (int round = 0; round < 10; round++) {
            try (Session session =
                            Session.builder().workers(2 + random.nextInt(2)).open();
                    FieldStore fields = FieldStore.open(session, drawn.grid)) {
                fields.set(DrawnModel.T, (x, y, z) -> DrawnModel.set(x, y));
                Map<Tag<Cell>, DrawnModel.Known> roots = new HashMap<>();
                List<ExpressionTree> trees = new ArrayList<>();
                List<CompiledGraph> graphs = new ArrayList<>();
                for (int i = 0; i < 2 + random.nextInt(2); i++) {
                    Map<Tag<Cell>, DrawnModel.Known> its = drawn.roots(random);
                    ExpressionTree tree = drawn.model
                            .tree(List.copyOf(its.keySet()))
                            .fuse(random.nextBoolean())
                            .fields(policies.get(random.nextInt(policies.size())));
                    roots.putAll(its);
                    trees.add(tree);
                    graphs.add(tree.compile(fields));
                }
                for (int run = 0; run < 5; run++) {
                    graphs.forEach(CompiledGraph::start);
                    graphs.forEach(CompiledGraph::join);
                }
                String what = "seed " + seed + ", round " + round + "\n" + trees;
                roots.values().stream()
                        .filter(root -> trees.stream().noneMatch(tree -> computesElsewhere(tree, root.tag())))
                        .forEach(root -> compare(fields, root, what));
            }
        }
    }

    /** Between any two tasks of a tree that is submitted, another thread may begin a run of another tree. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void treesAreSubmittedBesideRunsOfOthers(long seed) {
        Random random = new Random(seed);
        DrawnModel drawn = new DrawnModel(random);
        Map<Tag<Cell>, DrawnModel.Known> roots = drawn.roots(random);
        ExpressionTree tree = drawn.model.tree(List.copyOf(roots.keySet())).fuse(false);
        ExpressionTree other =
                drawn.model.tree(List.copyOf(drawn.roots(random).keySet())).fuse(false);
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, drawn.grid)) {
            fields.set(DrawnModel.T, (x, y, z) -> DrawnModel.set(x, y));
            CompiledGraph graph = other.compile(fields);
            try (RunsBeside _ = new RunsBeside(graph)) {
                for (int i = 0; i < 100; i++) {
                    tree.submit(fields, session.graph());
                    session.graph().await();
                    roots.values().stream()
                            .filter(root -> !computesElsewhere(other, root.tag()))
                            .forEach(root -> compare(fields, root, "seed " + seed + "\n" + tree + other));
                }
            }
        }
    }

    /** Of both generators: trees here, and loops among the tasks of random programs. */
    @Test
    void whatIsDrawnHasLoopsThatKeepWhatNeighboursShare() {
        Grid grid = Grid.of(9, 6).ghosts(2);
        for (Expr<Cell> one :
                List.of(DrawnModel.stencilOfAStencil(DrawnModel.T), FormulaLoops.difference(DrawnModel.T, 0))) {
            LoopBody body = Lowering.loops(grid, Cell.class, one).getFirst().body();
            assertTrue(RowCache.of(body).isPresent(), () -> Loops.source(body));
        }
    }

    /** Returns true if what a field has is old behind the tree: it computes the field, and stores it elsewhere. */
    private static boolean computesElsewhere(ExpressionTree tree, Tag<?> tag) {
        return tree.fates().containsKey(tag) && !tree.memory().persistent().contains(tag);
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
            roots.values().forEach(root -> compare(fields, root, what));
        }
    }

    private static void compare(FieldStore fields, DrawnModel.Known root, String what) {
        double[] found = fields.values(root.tag());
        for (int y = 0; y < DrawnModel.ROWS; y++) {
            for (int x = 0; x < DrawnModel.WIDTH; x++) {
                assertEquals(
                        root.value().at(x, y),
                        found[DrawnModel.WIDTH * y + x],
                        root.tag() + " at " + x + ", " + y + "\n" + what);
            }
        }
    }
}
