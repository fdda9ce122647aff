package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.flow.testing.SeededWorkers;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edges by type that do not compile, or are refused before the run. */
@Timeout(60)
class WrongEdgesTest {
    @Test
    void wrongConversionsAndDoubleEdgesAreNamed() {
        FlowGraph<Integer, Object> twice = FlowGraph.build("twice", g -> {
            g.input().only(Integer.class).to(g.output());
            g.input().only(Integer.class).to(g.output());
        });
        assertEquals(
                List.of("the graph's input is joined to \"output\" twice: remove one edge"),
                twice.check().problems());
        FlowGraph<Integer, Object> both = FlowGraph.build("both", g -> {
            g.input().to(g.output());
            g.input().only(Integer.class).to(g.output());
        });
        assertFalse(both.check().isFine());
        FlowGraph<Integer, Object> wrong = FlowGraph.build("wrong", g -> {
            g.types(Integer.class, String.class);
            g.input().only(Integer.class).to(g.output());
        });
        assertEquals(
                List.of("the graph's input sends java.lang.Integer, but the graph's output takes java.lang.String"),
                wrong.check().problems());
        FlowGraph<Integer, Object> nothing = FlowGraph.build("nothing", g -> {
            g.input().as(n -> n > 0 ? n : null).to(g.output());
        });
        try (FlowRun<Integer, Object> run = nothing.start(new SeededWorkers(0))) {
            NullPointerException refused = assertThrows(NullPointerException.class, () -> run.send(0));
            assertTrue(refused.toString().contains("made null of 0"), refused.toString());
            run.send(1);
            run.finish();
            assertEquals(1, run.iterator().next());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shapes.only(Circle.class).to(circles);",
                "g.input().to(shapes).only(Square.class).to(squares).to(g.output());",
                "rule.only(Circle.class).to(circles);",
                "g.input().as(Count::new).to(jobs);",
                "circles.as(Show::new).to(jobs);",
                "shapes.only(Circle.class).as(its -> new Count((int) its.radius())).to(jobs);",
            })
    void rightEdgesCompile(String statement) throws IOException {
        assertEquals(List.of(), CompilerErrors.of(statement));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "shapes.to(circles);", // a square is no circle
                "shapes.only(Circle.class).to(squares);",
                "shapes.only(String.class).to(g.output());", // a shape is no string
                "rule.only(Integer.class).endsHere();",
                "g.input().to(jobs);", // a number is no job
                "g.input().as(Show::new).to(jobs);", // Show takes a text
                "shapes.as(Count::new).to(jobs);",
                "g.input().only(Integer.class).to(circles);",
            })
    void aWrongEdgeDoesNotCompile(String statement) throws IOException {
        assertEquals(1, CompilerErrors.of(statement).size(), statement);
    }
}
