package dev.jacquard.expressions.time;

import static dev.jacquard.expressions.language.Functions.number;
import static dev.jacquard.expressions.language.Operators.laplacian;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.tree.Assignment;
import dev.jacquard.expressions.tree.ExpressionTree;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.expressions.tree.Model;
import dev.jacquard.insight.analysis.GraphSnapshot.Task;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fields of stages lie beside those of the user, whatever these are called. */
class StageNamesTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> RATE = Tag.cell("dT/dt");
    private static final List<Tag<Cell>> OTHERS = List.of(
            Tag.cell("T after the step"),
            Tag.cell("T at stage 1"),
            Tag.cell("T at stage 2"),
            Tag.cell("T at stage 3"),
            Tag.cell("dT/dt at stage 1"));

    private static Ssp.Of steps(int order, Grid grid) {
        ExpressionTree tree = Model.of(grid)
                .source(T)
                .define(RATE, T.times(-1).plus(number(1)))
                .tree(RATE)
                .fuse(false);
        return Ssp.order(order).advance(T, RATE).of(tree);
    }

    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "1, true", "2, true", "3, true"})
    void fieldsThatAreCalledAsThoseOfStagesKeepTheirValues(int order, boolean assigned) {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(3))) {
            fields.set(T, (x, y, z) -> 2);
            for (int i = 0; i < OTHERS.size(); i++) {
                double its = 10 + i;
                fields.set(OTHERS.get(i), (x, y, z) -> its);
            }
            Ssp.Of steps = steps(order, fields.grid());
            (assigned ? steps.targets(TargetPolicy.host()) : steps)
                    .compile(fields)
                    .run(3, 0.1);
            for (int i = 0; i < OTHERS.size(); i++) {
                double its = 10 + i;
                assertArrayEquals(new double[] {its, its, its}, fields.values(OTHERS.get(i)));
            }
            assertNotEquals(2, fields.values(T)[0]);
        }
    }

    @Test
    void theirNamesCanBeRead() {
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(3))) {
            fields.set(T, (x, y, z) -> 2);
            Integrator steps = steps(2, fields.grid()).compile(fields);
            steps.run(1, 0.1);
            List<String> names =
                    steps.snapshot().tasks().stream().map(Task::name).toList();
            assertTrue(names.contains("T at stage 1"), names::toString);
            for (ExpressionTree stage : steps.stages()) {
                List<String> drawn = Stream.of(stage.taskGraph(), stage.dependencyGraph())
                        .flatMap(graph -> graph.tasks().stream())
                        .map(Task::toString)
                        .toList();
                List<String> sources = stage.assignments(fields, Loops.Form.AUTO).stream()
                        .map(Assignment::source)
                        .toList();
                assertFalse((stage + "" + drawn + sources).contains("\0"), () -> stage + "" + drawn + sources);
            }
            assertFalse(names.toString().contains("\0"), names::toString);
        }
    }

    /** A second name would have the values of another stage, or of the step before. */
    @ParameterizedTest
    @CsvSource({"1, false", "2, false", "3, false", "1, true", "2, true", "3, true"})
    void aRateThatReadsAFieldByASecondNameIsRefused(int order, boolean assigned) {
        Tag<Cell> second = Tag.cell("second");
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, Grid.of(3))) {
            fields.set(T, (x, y, z) -> 2);
            fields.alias(second, T);
            ExpressionTree tree = Model.of(fields.grid())
                    .source(T, second)
                    .define(RATE, second.times(-1))
                    .tree(RATE);
            Ssp.Of steps = Ssp.order(order).advance(T, RATE).of(tree);
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> (assigned ? steps.targets(TargetPolicy.host()) : steps).compile(fields)),
                    "\"second\" is another name of \"T\", which advances",
                    "name \"T\" in its place");
        }
    }

    @Test
    void theRateThatNeedsGhostsIsNamed() {
        Tag<Cell> other = Tag.cell("other");
        Tag<Cell> growth = Tag.cell("growth");
        Grid grid = Grid.of(3).ghosts(1);
        ExpressionTree tree = Model.of(grid)
                .source(T, other)
                .define(RATE, T.times(-1))
                .define(growth, laplacian(T))
                .tree(RATE, growth);
        try (Session session = Session.builder().workers(1).open();
                FieldStore fields = FieldStore.open(session, grid)) {
            Ssp.Of steps = Ssp.order(2).advance(T, RATE).advance(other, growth).of(tree);
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> steps.compile(fields)),
                    "\"growth\" needs 1 layer of \"T\"");
        }
    }
}
