package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.exp;
import static dev.jacquard.expressions.language.Functions.parameter;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.dx;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.ExpressionTree.Fate;
import dev.jacquard.expressions.tree.MemoryPlan.Policy;
import dev.jacquard.memory.data.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models and the trees that assemble themselves from them. */
class ModelTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Faces> Q = Tag.faces("heat flux");
    private static final Tag<Cell> RATE = Tag.cell("dT/dt");
    private static final Tag<Cell> LOSS = Tag.cell("loss");
    private static final Grid GRID = Grid.of(20, 12, 8).lengths(1, 0.7, 0.6).ghosts(2);

    private static Model heat() {
        return Model.of(GRID)
                .define(RATE, div(Q))
                .source(T, K)
                .define(LOSS, T.times(2))
                .define(Q, faces(K).times(grad(T)));
    }

    @Test
    void aTreeHasWhatItsRootsNeedInOrder() {
        ExpressionTree tree = heat().tree(RATE);
        assertEquals(List.of(Q, RATE), List.copyOf(tree.fates().keySet()));
        assertEquals(Fate.FUSED, tree.fates().get(Q));
        assertEquals(Fate.STORED, tree.fates().get(RATE));
        assertEquals(Fate.STORED, tree.fuse(false).fates().get(Q));
        assertEquals(Set.of(Q), tree.dependencies().get(RATE));
        assertTrue(
                tree.toString().contains("heat flux: computed inside the loops that need it; reads [k, T]"), tree + "");
        assertEquals(Fate.STORED, heat().tree(RATE, Q).fates().get(Q));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void fusionChangesNoBit(int workers) {
        double[] expected = null;
        for (boolean fuses : new boolean[] {true, false}) {
            for (Loops.Form form : Loops.Form.values()) {
                try (Session session = Session.builder().workers(workers).open();
                        FieldStore fields = FieldStore.open(session, GRID)) {
                    set(fields);
                    List<Assignment> all = heat().tree(RATE).fuse(fuses).assignments(fields, form);
                    assertEquals(fuses ? 1 : 2, all.size());
                    CompiledGraph graph = session.record(tasks -> all.forEach(assignment -> assignment.submit(tasks)));
                    graph.run();
                    graph.run();
                    double[] found = fields.values(RATE);
                    expected = expected == null ? found : expected;
                    assertArrayEquals(expected, found);
                }
            }
        }
    }

    private static void set(FieldStore fields) {
        fields.set(T, (x, y, z) -> Math.sin(3 * x) * Math.cos(2 * y) + z * z);
        fields.set(K, (x, y, z) -> 1 + 0.5 * x * y);
    }

    /**
     * A field that is computed has no ghosts: a loop that reads them computes it again, also where it is wanted itself.
     */
    @Test
    void ghostsOfComputedFieldsAreComputedInside() {
        Tag<Cell> slope = Tag.cell("slope");
        Tag<Cell> bend = Tag.cell("bend");
        Model model = Model.of(GRID).source(T).define(slope, dx(T)).define(bend, dx(slope));
        assertEquals(Fate.BOTH, model.tree(slope, bend).fates().get(slope));
        assertEquals(Fate.FUSED, model.tree(bend).fuse(false).fates().get(slope));
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> x * x);
            model.tree(slope, bend).compile(fields).run();
            assertEquals(2, fields.min(bend), 1e-12);
            assertEquals(2, fields.max(bend), 1e-12);
            assertEquals(2 * 0.975, fields.max(slope), 1e-12);
        }
    }

    /**
     * Sixteen scalars, coupled or not: equal equations share their loops, and the product is made only where it is
     * needed.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void equalEquationsShareALoop(boolean coupled) {
        List<Tag<Cell>> phi = Tag.cells("phi", 16);
        List<Tag<Cell>> rates = Tag.cells("dphi/dt", 16);
        Tag<Cell> product = Tag.cell("product");
        Model model = Model.of(GRID).source(K).source(phi.toArray(Tag[]::new));
        model.define(
                product,
                phi.stream().map(p -> exp(p.times(0.01))).reduce(Expr::times).orElseThrow());
        for (int i = 0; i < 16; i++) {
            Tag<Faces> flux = Tag.faces("flux " + i);
            model.define(
                    flux,
                    faces(phi.get(i)).times(faces(K)).minus(grad(phi.get(i)).times(1e-3 * (i + 1))));
            model.define(rates.get(i), div(flux).negate().plus(coupled ? product : exp(phi.get(i))));
        }
        ExpressionTree tree = model.tree(rates);
        assertEquals(coupled ? Fate.STORED : null, tree.fates().get(product));
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(K, (x, y, z) -> x);
            for (int i = 0; i < 16; i++) {
                double factor = i;
                fields.set(phi.get(i), (x, y, z) -> Math.sin(factor * x + y));
            }
            tree.compile(fields).run();
            assertTrue(fields.loops().classes() <= 3, fields.loops().classes() + " classes");
            assertTrue(fields.max(rates.get(3)) > fields.min(rates.get(3)));
        }
    }

    /** Random models: what is stored, fused or both, and in which form, changes no bit. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void fatesChangeNoBit(long seed) {
        Random random = new Random(seed);
        Grid grid = Grid.of(7, 5).ghosts(4);
        Model model = Model.of(grid).source(T);
        List<Tag<Cell>> all = new ArrayList<>(List.of(T));
        for (int i = 0; i < 8; i++) {
            Expr<Cell> one = all.get(random.nextInt(all.size()));
            Expr<Cell> other = all.get(random.nextInt(all.size()));
            Tag<Cell> tag = Tag.cell("t" + i);
            model.define(
                    tag,
                    switch (random.nextInt(5)) {
                        case 0 -> dx(one);
                        case 1 -> div(grad(one)).plus(other);
                        case 2 -> one.times(0.5).plus(1);
                        default -> one.minus(other.times(0.25));
                    });
            all.add(tag);
        }
        List<Tag<Cell>> roots = all.subList(1, all.size());
        List<double[]> alone = new ArrayList<>();
        for (Tag<Cell> root : roots) {
            List<double[]> values = values(grid, model.tree(root), List.of(root), Loops.Form.INTERPRETER);
            alone.add(values.isEmpty() ? new double[0] : values.getFirst());
        }
        for (boolean fuses : new boolean[] {true, false}) {
            for (Loops.Form form : Loops.Form.values()) {
                for (int i = 0; i < roots.size(); i++) {
                    List<Tag<Cell>> some = roots.subList(0, i + 1);
                    List<double[]> found = values(grid, model.tree(some).fuse(fuses), some, form);
                    for (int k = 0; k < found.size(); k++) {
                        assertArrayEquals(alone.get(k), found.get(k), form + ", t" + k + " of " + some);
                    }
                    Policy policy = List.of(Policy.values()).get(random.nextInt(3));
                    ExpressionTree last = model.tree(roots.get(i)).fuse(fuses).fields(policy);
                    List<Tag<?>> others = new ArrayList<>(last.definitions().keySet());
                    others.removeIf(tag -> random.nextInt(4) > 0);
                    List<double[]> ends =
                            values(grid, last.keep(others.toArray(Tag[]::new)), List.of(roots.get(i)), form);
                    if (!ends.isEmpty()) {
                        assertArrayEquals(alone.get(i), ends.getFirst(), form + ", " + policy + ", t" + i);
                    }
                }
            }
        }
    }

    /** Returns the values of fields; none if the grid has too few ghosts. */
    private static List<double[]> values(Grid grid, ExpressionTree tree, List<Tag<Cell>> roots, Loops.Form form) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> Math.sin(x) * Math.cos(2 * y));
            List<Assignment> all;
            try {
                all = tree.assignments(fields, form);
            } catch (IllegalArgumentException tooFewGhosts) {
                assertMentions(tooFewGhosts, "beyond the boundary");
                return List.of();
            }
            TaskGraph graph = session.graph();
            all.forEach(assignment -> assignment.submit(graph));
            graph.await();
            return roots.stream().map(fields::values).toList();
        }
    }

    @Test
    void depthIsNoBound() {
        Grid grid = Grid.of(5);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(T, (x, y, z) -> 1);
            Expr<Cell> sum = T;
            Expr<Cell> power = T;
            for (int i = 0; i < 5_000; i++) {
                sum = sum.plus(T);
            }
            for (int i = 0; i < 60; i++) {
                power = power.times(power);
            }
            TaskGraph graph = session.graph();
            Assignment.of(fields, RATE, sum).submit(graph);
            Assignment.of(fields, LOSS, power).submit(graph);
            graph.await();
            assertEquals(5_001, fields.min(RATE));
            assertEquals(1, fields.max(LOSS));
            assertTrue(power.toString().contains("[T]"));
            assertTrue(Set.of(power).contains(power));
            Model model = Model.of(grid).source(T);
            Tag<Cell> last = T;
            for (int i = 0; i < 2_000; i++) {
                Tag<Cell> next = Tag.cell("t" + i);
                model.define(next, last.plus(1));
                last = next;
            }
            model.tree(last).compile(fields).run();
            assertEquals(2_001, fields.max(last));
        }
    }

    @Test
    void treesHaveParameters() {
        Tag<Cell> a = Tag.cell("a");
        Model model =
                Model.of(GRID).source(T).define(LOSS, T.times(parameter("c"))).define(a, T.plus(parameter("d")));
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> 1);
            TaskGraph graph = session.graph();
            model.tree(LOSS, a).submit(fields, graph, Map.of("c", 3.0, "d", 4.0));
            graph.await();
            assertEquals(3, fields.max(LOSS));
            assertEquals(5, fields.max(a));
            refused(() -> model.tree(LOSS).compile(fields), "parameter \"c\" has no value");
            refused(() -> model.tree(LOSS).compile(fields, Map.of("c", 1.0, "d", 1.0)), "no parameter \"d\"");
        }
    }

    @Test
    void refusesWhatCannotBePutTogether() {
        refused(() -> heat().define(Q, grad(T)), "\"heat flux\" is defined already");
        refused(() -> heat().source(T), "\"T\" is a source already");
        refused(() -> heat().tree(T), "\"T\" is a source, and nothing computes it");
        refused(
                () -> Model.of(GRID)
                        .source(T)
                        .define(Q, faces(K).times(grad(T)))
                        .define(RATE, div(Q))
                        .tree(RATE),
                "\"k\" is neither defined nor a source, and needed: dT/dt → heat flux → k");
        Tag<Cell> a = Tag.cell("a");
        Tag<Cell> b = Tag.cell("b");
        refused(
                () -> Model.of(GRID)
                        .define(LOSS, a)
                        .define(a, b.plus(1))
                        .define(b, a.times(2))
                        .tree(LOSS),
                "\"a\" needs itself: a → b → a");
        refused(() -> Model.of(GRID).tree(), "at least 1 field");
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID.ghosts(1))) {
            refused(() -> heat().tree(RATE).compile(fields), "the tree is for");
        }
        Grid others = GRID.lengths(2, 0.7, 0.6).origin(0, 1, 0).type(DataType.FLOAT32);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, others)) {
            refused(
                    () -> heat().tree(RATE).compile(fields),
                    "2 ghost layers, FLOAT64, lengths [1.0, 0.7, 0.6], and the fields are on 20x12x8 cells, 2 ghost"
                            + " layers, FLOAT32, lengths [2.0, 0.7, 0.6], origin [0.0, 1.0, 0.0]");
        }
    }

    private static void refused(Runnable call, String mentions) {
        assertMentions(assertThrows(IllegalArgumentException.class, call::run), mentions);
    }

    /** Some of its terms lie deeper than a walk goes at once, where the names of later stages are put in. */
    @ParameterizedTest
    @ValueSource(ints = {97, 98, 99, 100, 101, 400})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void longSumsHaveOtherNamesInDerivedTrees(int terms) {
        Expr<Cell> sum = T;
        for (int i = 1; i < terms; i++) {
            sum = sum.plus(T);
        }
        Tag<Cell> other = Tag.cell("other");
        ExpressionTree tree = Model.of(GRID).source(T).define(RATE, sum).tree(RATE);
        Tag<Cell> later = Tag.cell("later");
        ExpressionTree derived = tree.derive(Map.of(later, RATE.times(2)), tag -> tag.equals(T) ? other : tag);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(other, (x, y, z) -> 3);
            derived.compile(fields).run();
            assertEquals(6.0 * terms, fields.max(later));
        }
    }

    @Test
    void aSourceThatIsOverwrittenUnderAnotherNameIsRefused() {
        Tag<Cell> twice = Tag.cell("twice");
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(T, (x, y, z) -> 1);
            fields.alias(twice, T);
            Model model = Model.of(GRID).source(T).define(twice, T.times(2)).define(LOSS, T.plus(twice));
            ExpressionTree tree = model.tree(twice, LOSS).fuse(false);
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> tree.compile(fields)),
                    "\"loss\" reads \"T\", which \"twice\" has overwritten by then",
                    "FieldStore.alias");
            Model own = Model.of(GRID)
                    .source(T)
                    .define(twice, T.times(2))
                    .define(
                            bindings -> run -> {},
                            all -> all.reads(T).reads(twice).computes(LOSS));
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> own.tree(twice, LOSS).fuse(false).compile(fields)),
                    "\"loss\" reads \"T\", which \"twice\" has overwritten by then");
            model.tree(twice).compile(fields).run(); // in place
            assertEquals(2, fields.max(T));
        }
    }
}
