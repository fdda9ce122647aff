package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.exp;
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
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.ExpressionTree.Fate;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
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

    /** A field that is computed has no ghosts: who reads them computes it once more, also where it is wanted itself. */
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

    /** Sixteen scalars, coupled or not: equal equations share their loops, and nobody makes the product in vain. */
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
    }

    private static void refused(Runnable call, String mentions) {
        assertMentions(assertThrows(IllegalArgumentException.class, call::run), mentions);
    }
}
