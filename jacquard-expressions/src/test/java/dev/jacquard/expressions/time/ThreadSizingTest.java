package dev.jacquard.expressions.time;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The workers for tasks and those for the loops of a task. */
class ThreadSizingTest {
    private static final Grid LARGE = Grid.of(64, 33, 16);
    private static final int STEPS = 12;

    private static final List<Tag<Cell>> UNKNOWNS =
            IntStream.range(0, 8).mapToObj(i -> Tag.cell("u" + i)).toList();

    private static Tag<Cell> rate(Tag<Cell> unknown) {
        return Tag.cell("d" + unknown.name() + "/dt");
    }

    /** Advances unknowns that have nothing to do with each other; returns the last one's values. */
    private static double[] advance(Grid grid, int workers, int order, int unknowns, Consumer<Integrator> use) {
        try (Session session = Session.builder().workers(workers).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            Model model = Model.of(grid);
            Ssp ssp = Ssp.order(order);
            List<Tag<Cell>> all = UNKNOWNS.subList(0, unknowns);
            for (Tag<Cell> unknown : all) {
                fields.set(unknown, (x, y, z) -> Math.sin(x + 2 * y));
                model = model.source(unknown)
                        .define(rate(unknown), unknown.times(unknown).negate());
                ssp = ssp.advance(unknown, rate(unknown));
            }
            Tag<?>[] rates = all.stream().map(ThreadSizingTest::rate).toArray(Tag<?>[]::new);
            Integrator integrator =
                    ssp.of(model.tree(rates).loops(Loops.Form.PLAIN)).compile(fields);
            use.accept(integrator);
            return fields.values(all.getLast());
        }
    }

    private static ThreadSplit split(Grid grid, int workers, int order, int unknowns) {
        ThreadSplit[] found = new ThreadSplit[1];
        advance(grid, workers, order, unknowns, integrator -> {
            integrator.run(STEPS, 1e-3);
            found[0] = integrator.threads();
        });
        return found[0];
    }

    /** However long each takes: several are faster on two workers than on one. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void whatIsSideBySideGetsTasks(int order) {
        assertEquals(new ThreadSplit(2, 1), split(LARGE, 2, order, 8));
        ThreadSplit split = split(LARGE, 4, order, 8);
        assertTrue(split.tasks() >= 2 && split.tasks() * split.operators() >= 4, split.toString());
    }

    @Test
    void whatIsOneTaskGetsOperators() {
        assertEquals(new ThreadSplit(1, 4), split(LARGE, 4, 1, 1));
        assertEquals(new ThreadSplit(1, 1), split(LARGE, 1, 1, 1));
    }

    /** Two tasks of the same kind are faster on two workers, not on more; their loops get the others. */
    @Test
    void tasksGetNoMoreThanTheyCanUse() {
        ThreadSplit split = split(LARGE, 4, 1, 2);
        assertTrue(split.tasks() <= 2, split.toString());
        assertTrue(split.operators() >= 2, split.toString());
    }

    @Test
    void loopsOfSmallFieldsHaveNothingToShare() {
        assertEquals(new ThreadSplit(4, 1), split(Grid.of(8, 8), 4, 1, 2));
    }

    @Test
    void sizesSayNothingToTheResult() {
        double[] expected = advance(LARGE, 1, 2, 3, integrator -> integrator.run(STEPS, 1e-2));
        for (int tasks = 1; tasks <= 3; tasks++) {
            for (int operators = 1; operators <= 3; operators++) {
                ThreadSplit sizes = new ThreadSplit(tasks, operators);
                double[] found = advance(LARGE, 3, 2, 3, integrator -> {
                    integrator.run(2, 1e-2);
                    integrator.threads(sizes.tasks(), sizes.operators()).run(STEPS - 2, 1e-2);
                    assertEquals(sizes, integrator.threads());
                });
                assertArrayEquals(expected, found, sizes::toString);
            }
        }
        assertArrayEquals(expected, advance(LARGE, 3, 2, 3, integrator -> integrator.run(STEPS, 1e-2)));
    }

    @Test
    void sizesBelowOneAreRefused() {
        advance(
                Grid.of(4),
                1,
                1,
                1,
                integrator -> assertMentions(
                        assertThrows(IllegalArgumentException.class, () -> integrator.threads(1, 0)),
                        "a graph needs a thread for tasks and one for their loops, not 1 and 0"));
    }
}
