package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.exp;
import static dev.jacquard.expressions.language.Functions.parameter;
import static dev.jacquard.expressions.language.Operators.div;
import static dev.jacquard.expressions.language.Operators.faces;
import static dev.jacquard.expressions.language.Operators.grad;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.MemoryPlan.Policy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of trees: as little as planned, and not a byte more. */
class MemoryPlanTest {
    private static final Grid GRID = Grid.of(24, 10, 9).lengths(1, 0.7, 0.6).ghosts(1);
    private static final int EQUATIONS = 16;
    private static final List<Tag<Cell>> PHI = Tag.cells("phi", EQUATIONS);
    private static final List<Tag<Cell>> RATES = Tag.cells("dphi/dt", EQUATIONS);
    private static final Tag<Cell> PRODUCT = Tag.cell("product");

    /** Scalars that are carried, diffuse and react with each other; each diffuses differently. */
    private static ExpressionTree coupled() {
        return coupled(GRID);
    }

    private static ExpressionTree coupled(Grid grid) {
        Model model = Model.of(grid).source(PHI.toArray(Tag[]::new));
        model.define(
                PRODUCT,
                PHI.stream().map(p -> exp(p.times(0.01))).reduce(Expr::times).orElseThrow());
        for (int i = 0; i < EQUATIONS; i++) {
            Tag<Faces> flux = Tag.faces("flux " + i);
            model.define(flux, faces(PHI.get(i)).minus(grad(PHI.get(i)).times(1e-3 * (i + 1))));
            model.define(RATES.get(i), div(flux).negate().plus(PRODUCT));
        }
        return model.tree(RATES);
    }

    private static void set(FieldStore fields) {
        for (int i = 0; i < EQUATIONS; i++) {
            double factor = i;
            fields.set(PHI.get(i), (x, y, z) -> Math.sin(factor * x + y - z));
        }
    }

    private static long peak(Session session) {
        return session.data().transfers().spaces().getFirst().peak();
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void plannedIsMeasured(Policy policy) {
        for (boolean fuses : new boolean[] {true, false}) {
            ExpressionTree tree = coupled().fuse(fuses).fields(policy);
            try (Session session = Session.builder().workers(2).open();
                    FieldStore fields = FieldStore.open(session, GRID)) {
                set(fields);
                CompiledGraph step = tree.compile(fields);
                step.run();
                step.run();
                assertEquals(tree.memory().bytes(), peak(session), () -> policy + ": " + tree.memory());
            }
        }
    }

    @Test
    void temporariesOfACoupledSystemAreFew() {
        ExpressionTree tree = coupled(Grid.of(64, 64, 64).ghosts(1));
        MemoryPlan unfused = tree.fuse(false).memory();
        assertEquals(2 * EQUATIONS, unfused.persistentFields());
        assertEquals(3 * EQUATIONS + 1, unfused.temporaryFields());
        assertTrue(
                unfused.temporaryBytes() <= 0.1 * unfused.staticTemporaryBytes(),
                () -> unfused.temporaryBytes() + " of " + unfused.staticTemporaryBytes());
        MemoryPlan fused = tree.memory();
        assertEquals(1, fused.temporaryFields());
        assertEquals(fused.staticTemporaryBytes(), fused.temporaryBytes());
        assertEquals(
                unfused.staticTemporaryBytes(),
                tree.fuse(false).fields(Policy.STATIC).memory().temporaryBytes());
    }

    @Test
    void policiesAndKeptFieldsChangeNoBit() {
        List<double[]> expected = null;
        for (Policy policy : Policy.values()) {
            for (int workers = 1; workers <= 2; workers++) {
                ExpressionTree tree = coupled().fuse(false).fields(policy);
                ExpressionTree its = workers == 1 ? tree : tree.keep(PRODUCT, Tag.faces("flux 3"));
                try (Session session = Session.builder().workers(workers).open();
                        FieldStore fields = FieldStore.open(session, GRID)) {
                    set(fields);
                    CompiledGraph step = its.compile(fields);
                    step.run();
                    step.run();
                    List<double[]> found = RATES.stream().map(fields::values).toList();
                    expected = expected == null ? found : expected;
                    for (int i = 0; i < EQUATIONS; i++) {
                        assertArrayEquals(expected.get(i), found.get(i), policy + ", " + workers + " workers");
                    }
                    if (workers == 2 || policy != Policy.DYNAMIC) {
                        assertTrue(fields.max(PRODUCT) > 0);
                        fields.values(fields.field(Tag.faces("flux 3"), 1));
                    } else {
                        assertMentions(
                                assertThrows(IllegalStateException.class, () -> fields.max(PRODUCT)),
                                "\"product\" is in memory that other temporaries use, too: ExpressionTree.keep");
                    }
                }
            }
        }
    }

    @Test
    void whatIsKeptLaterGetsAFieldAndAnotherGraph() {
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            set(fields);
            coupled().compile(fields).run();
            assertThrows(IllegalStateException.class, () -> fields.max(PRODUCT));
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> fields.field(Tag.faces("flux 1"), 0)),
                    "\"flux 1\" is computed inside the loops that need it");
            coupled().keep(PRODUCT, Tag.faces("flux 1")).compile(fields).run();
            assertTrue(fields.max(PRODUCT) > 0);
            coupled().compile(fields).run();
            assertMentions( // it has a field, whose values are those of the run before
                    assertThrows(IllegalStateException.class, () -> fields.max(PRODUCT)),
                    "\"product\" is in memory that other temporaries use, too: ExpressionTree.keep");
        }
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> coupled().keep(Tag.cell("produkt"))),
                "the tree computes no \"produkt\"",
                "product");
    }

    @Test
    void numbersMayChangeBetweenRuns() {
        Tag<Cell> twice = Tag.cell("twice");
        ExpressionTree tree = Model.of(GRID)
                .source(PHI.getFirst())
                .define(twice, PHI.getFirst().times(parameter("c")))
                .tree(twice);
        try (Session session = Session.builder().workers(2).open();
                FieldStore fields = FieldStore.open(session, GRID)) {
            fields.set(PHI.getFirst(), (x, y, z) -> 1);
            Parameters numbers = Parameters.of(Map.of("c", 2.0, "more", 0.0));
            CompiledGraph step = session.record(graph -> tree.submit(fields, graph, numbers));
            step.run();
            assertEquals(2, fields.max(twice));
            numbers.set("c", 3);
            step.run();
            assertEquals(3, fields.min(twice));
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> numbers.set("mor", 1)),
                    "no parameter \"mor\"",
                    "more");
        }
    }

    /** All orders of small random graphs, one by one: none has a lower peak. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void noOrderHasALowerPeak(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 150; round++) {
            int count = 1 + random.nextInt(7);
            int[] sizes = new int[count];
            List<BitSet> reads = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sizes[i] = random.nextInt(4);
                BitSet its = new BitSet();
                for (int k = 0; k < i; k++) {
                    its.set(k, random.nextInt(3) == 0);
                }
                reads.add(its);
            }
            List<Integer> order = LeastPeak.order(sizes, reads);
            assertEquals(count, order.stream().distinct().count());
            int found = LeastPeak.peak(order, sizes, reads);
            assertEquals(least(new ArrayList<>(), sizes, reads), found, () -> order + " of " + reads);
        }
    }

    /** Returns the lowest peak of the orders that begin like that. */
    private static int least(List<Integer> begin, int[] sizes, List<BitSet> reads) {
        if (begin.size() == sizes.length) {
            return LiveSizes.peak(begin, sizes, reads);
        }
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < sizes.length; i++) {
            if (!begin.contains(i) && reads.get(i).stream().allMatch(begin::contains)) {
                begin.add(i);
                least = Math.min(least, least(begin, sizes, reads));
                begin.removeLast();
            }
        }
        return least;
    }

    /** The peak of an order, found from the definition. */
    private static final class LiveSizes {
        static int peak(List<Integer> order, int[] sizes, List<BitSet> reads) {
            int peak = 0;
            for (int now = 0; now < order.size(); now++) {
                int sum = 0;
                for (int made = 0; made <= now; made++) {
                    int its = order.get(made);
                    boolean isRead = false;
                    for (int later = now; later < order.size(); later++) {
                        isRead |= reads.get(order.get(later)).get(its);
                    }
                    sum += made == now || isRead ? sizes[its] : 0;
                }
                peak = Math.max(peak, sum);
            }
            return peak;
        }
    }

    /** A large graph: a chain of pairs beside each other, of which the given order computes all firsts first. */
    @Test
    void largeGraphsHaveLowPeaks() {
        int pairs = 60;
        int[] sizes = new int[2 * pairs + 1];
        List<BitSet> reads = new ArrayList<>();
        for (int i = 0; i < 2 * pairs + 1; i++) {
            BitSet its = new BitSet();
            if (i == 2 * pairs) {
                its.set(pairs, 2 * pairs); // one at the end reads all seconds: all hangs together
            } else if (i >= pairs) {
                its.set(i - pairs);
            } else {
                sizes[i] = 3;
            }
            reads.add(its);
        }
        assertEquals(3, LeastPeak.peak(LeastPeak.order(sizes, reads), sizes, reads));
    }
}
