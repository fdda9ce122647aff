package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.flow.task.Start;
import dev.jacquard.flow.testing.SeededWorkers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Calls that can mean nothing are refused, and say what would be right. */
class FlowMisuseTest {
    /** A start task that emits one item. */
    private static final class One implements Body<Start, Integer> {
        private boolean emitted;

        @Override
        public void execute(Start signal, Emitter<Integer> out) {
            out.emit(1);
            emitted = true;
        }

        @Override
        public boolean canTerminate(boolean inputClosed) {
            return emitted;
        }
    }

    @Test
    void anItemForAGraphWithoutAnInputIsRefused() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "numbers", builder -> builder.start("one", 1, One::new).to(builder.output()));
        try (Session session = Session.builder().workers(1).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> run.send(7)),
                    "item 7 was sent, and no task takes it: connect the graph's input");
            run.finish();
            List<Integer> results = new ArrayList<>();
            run.forEach(results::add);
            assertEquals(List.of(1), results);
        }
    }

    @Test
    void aGraphThatIsBuiltDoesNotChange() {
        List<FlowBuilder<Integer, Integer>> kept = new ArrayList<>();
        FlowGraph.<Integer, Integer>build("kept", builder -> {
            kept.add(builder);
            FlowTask<Integer, Integer> passes = builder.task("passes", 1, () -> (item, out) -> out.emit(item));
            builder.input().to(passes).to(builder.output());
        });
        FlowBuilder<Integer, Integer> builder = kept.getFirst();
        assertMentions(
                assertThrows(IllegalStateException.class, builder::output), "\"kept\" is built and cannot change");
        assertMentions(
                assertThrows(IllegalStateException.class, builder::input), "\"kept\" is built and cannot change");
    }

    @Test
    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // the point
    void nothingIsNoEdgeAndNoContinuation() {
        assertRefused((item, out) -> out.take(null), "task \"wrong\" takes from null: give it a memory edge");
        assertRefused((item, out) -> out.whenDone(null), "task \"wrong\" is to do null when its tasks are over");
    }

    @Test
    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // the point
    void nothingIsNoReleaseRule() {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("rules", g -> {
            MemoryEdge<int[]> blocks = g.memory("blocks", 2, () -> new int[1]);
            FlowTask<Integer, Integer> take =
                    g.task("take", 1, () -> (item, out) -> out.release(out.take(blocks, null)));
            g.input().to(take.takes(blocks).releases(blocks)).to(g.output());
        });
        FlowRun<Integer, Integer> run = graph.start(new SeededWorkers(1));
        run.send(1);
        run.finish();
        assertMentions(
                assertThrows(FlowFailedException.class, run::await), "task \"take\" takes with null as the rule");
    }

    private static void assertRefused(BiConsumer<Integer, Emitter<Integer>> body, String message) {
        FlowGraph<Integer, Integer> graph = FlowGraph.build("wrong", builder -> {
            FlowTask<Integer, Integer> wrong = builder.task("wrong", 1, () -> body::accept);
            builder.input().to(wrong).to(builder.output());
        });
        try (Session session = Session.builder().workers(1).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            run.send(1);
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, () -> run.forEach(item -> {}));
            assertMentions(failed, message);
        }
    }
}
