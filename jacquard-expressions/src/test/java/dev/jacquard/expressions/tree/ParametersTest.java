package dev.jacquard.expressions.tree;

import static dev.jacquard.expressions.language.Functions.parameter;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The parameters that are needed are those that the user has written, whatever becomes of the expressions. */
class ParametersTest {
    private static final Tag<Cell> T = Tag.cell("T");
    private static final Tag<Cell> U = Tag.cell("U");
    private static final Tag<Cell> V = Tag.cell("V");
    private static final Expr<Cell> NOTHING_OF_P = U.pow(0).plus(T);

    private final Session session = Session.builder().workers(1).open();
    private final FieldStore fields = FieldStore.open(session, Grid.of(8));

    @BeforeEach
    void set() {
        fields.set(T, (x, y, z) -> 1);
    }

    @AfterEach
    void close() {
        fields.close();
        session.close();
    }

    private List<ExpressionTree> trees() {
        ExpressionTree tree = Model.of(fields.grid())
                .source(T)
                .define(U, T.times(parameter("p")))
                .define(V, NOTHING_OF_P)
                .tree(V);
        List<ExpressionTree> all = new ArrayList<>(List.of(tree.keep(U)));
        for (MemoryPlan.Policy policy : MemoryPlan.Policy.values()) {
            all.add(tree.fields(policy));
            all.add(tree.fuse(false).fields(policy));
        }
        return all;
    }

    private static void refused(Runnable call, String... mentions) {
        assertMentions(assertThrows(IllegalArgumentException.class, call::run), mentions);
    }

    @Test
    void treesNeedThoseThatAreWrittenWithAnyOptions() {
        for (ExpressionTree tree : trees()) {
            tree.submit(fields, session.graph(), Map.of("p", 3.0));
            assertEquals(2, fields.values(V)[0]);
            refused(() -> tree.submit(fields, session.graph()), "parameter \"p\" has no value");
            refused(() -> tree.compile(fields), "parameter \"p\" has no value");
            refused(() -> tree.submit(fields, session.graph(), Parameters.of(Map.of("q", 1.0))), "\"p\" has no value");
            refused(
                    () -> tree.submit(fields, session.graph(), Map.of("p", 3.0, "q", 1.0)),
                    "no parameter \"q\"; it has [p]");
            refused(() -> TreeRuns.of(tree, fields, TargetPolicy.host()), "parameter \"p\" has no value");
        }
    }

    @Test
    void assignmentsNeedThoseThatAreWritten() {
        Assignment one = Assignment.of(fields, V, T.times(parameter("p")).pow(0));
        assertEquals(Set.of("p"), one.parameters());
        one.submit(session.graph(), Map.of("p", 3.0));
        assertEquals(1, fields.values(V)[0]);
        refused(() -> one.submit(session.graph()), "parameter \"p\" has no value");
        refused(() -> one.submit(session.graph(), Map.of("p", 3.0, "q", 1.0)), "no parameter \"q\"; it has [p]");
    }
}
