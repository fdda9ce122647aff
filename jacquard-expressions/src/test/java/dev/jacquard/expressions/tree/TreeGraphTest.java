package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.expressions.tree.UserLoops.advertised;
import static dev.jacquard.expressions.tree.UserLoops.copies;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.drawing.GraphDrawing;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.insight.analysis.GraphSnapshot.Task;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The graphs of trees, as drawings show them. */
class TreeGraphTest {
    private static final Grid GRID = Grid.of(8, 6).ghosts(2);
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Faces> Q = Tag.faces("flux");
    private static final Tag<Cell> RATE = Tag.cell("rate");

    /** Returns the edges as "from → to", each end with the box that it is in. */
    static Set<String> edges(GraphSnapshot graph, boolean isReversed) {
        return graph.edges().stream()
                .map(edge -> isReversed
                        ? name(graph, edge.later()) + " → " + name(graph, edge.earlier())
                        : name(graph, edge.earlier()) + " → " + name(graph, edge.later()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String name(GraphSnapshot graph, long id) {
        Task task = graph.task(id);
        return (task.hasParent() ? graph.task(task.parent()).name() + "/" : "") + task.name();
    }

    @Test
    void edgesLeadFromConsumersToProducersAndBack() {
        ExpressionTree tree = Model.of(GRID)
                .source(T, K)
                .define(RATE, div(Q))
                .define(Q, faces(K).times(grad(T)))
                .tree(RATE);
        assertEquals(
                List.of("rate", "rate/flux", "T", "k"),
                tree.dependencyGraph().tasks().stream()
                        .map(task -> name(tree.dependencyGraph(), task.id()))
                        .toList());
        assertEquals(Set.of("k → rate/flux", "T → rate/flux"), edges(tree.taskGraph(), false));
        assertEquals(Set.of("rate/flux → k", "rate/flux → T"), edges(tree.dependencyGraph(), false));
        ExpressionTree stored = tree.fuse(false);
        assertEquals(Set.of("k → flux", "T → flux", "flux → rate"), edges(stored.taskGraph(), false));
        assertEquals(
                "wanted; reads [flux]",
                stored.dependencyGraph().tasks().getFirst().accesses());
        assertEquals("dependency graph", stored.dependencyGraph().name());
    }

    /** A formula whose ghosts two loops read is inside both, and has a box of its own if it is wanted. */
    @Test
    void formulasAreInsideEachLoopThatComputesThem() {
        Tag<Cell> slope = Tag.cell("slope");
        Tag<Cell> bend = Tag.cell("bend");
        Tag<Cell> third = Tag.cell("third");
        Model model = Model.of(GRID.ghosts(3))
                .source(T)
                .define(slope, dx(T))
                .define(bend, dx(slope))
                .define(third, dx(bend));
        assertEquals(
                Set.of("T → slope", "T → bend/slope", "third/slope → third/bend", "T → third/slope"),
                edges(model.tree(slope, bend, third).taskGraph(), false));
        assertEquals(
                Set.of("T → third/slope", "third/slope → third/bend"),
                edges(model.tree(third).taskGraph(), false));
    }

    @Test
    void sharedMemoryAndLoopsOfUsersAreMarked() {
        Tag<Cell> a = Tag.cell("a");
        Tag<Cell> b = Tag.cell("b");
        Tag<Cell> c = Tag.cell("c");
        Tag<Cell> d = Tag.cell("d");
        ExpressionTree tree = Model.of(GRID)
                .source(T)
                .define(copies(T, 2, a, b), advertised(T, a, b))
                .define(c, a.plus(1))
                .define(copies(c, 2, d), advertised(c, d))
                .define(RATE, d.plus(d))
                .tree(RATE);
        GraphSnapshot graph = tree.taskGraph();
        List<String> names = graph.tasks().stream().map(Task::name).toList();
        assertTrue(names.get(1).startsWith("a, b · memory "), names + "");
        assertTrue(names.get(2).startsWith("c · memory "), names + "");
        Task loop = graph.tasks().get(1);
        assertTrue(loop.accesses().contains("expression of [a, b]; in memory ["), loop.accesses());
        assertTrue(loop.accesses().contains("reads [T]"), loop.accesses());
        List<Task> own = tree.fields(MemoryPlan.Policy.STATIC).taskGraph().tasks();
        assertFalse(own.stream().anyMatch(task -> task.name().contains("memory")), own + "");
    }

    @Test
    void graphsAreDrawn() {
        ExpressionTree tree = Model.of(GRID)
                .source(T, K)
                .define(RATE, div(Q))
                .define(Q, faces(K).times(grad(T)))
                .tree(RATE);
        GraphDrawing drawing = GraphDrawing.of(tree.taskGraph());
        String dot = drawing.toDot();
        assertTrue(dot.contains("subgraph \"cluster_2\" {\n  label=\"rate\""), dot);
        assertTrue(dot.contains("t1 -> t3") && dot.contains("label=\"T\""), dot);
        assertTrue(drawing.toSvg().contains(">flux<"), drawing.toSvg());
        assertTrue(GraphDrawing.of(tree.dependencyGraph()).toDot().contains("t1 -> t2"));
    }
}
