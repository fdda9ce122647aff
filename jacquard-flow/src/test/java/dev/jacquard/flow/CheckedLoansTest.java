package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that ask the handles of lent data for the data, in checking mode. */
@Timeout(180)
class CheckedLoansTest {
    /** Has a body submit what fills a lent block of data, and returns what another task reads of that. */
    private static double first(BiConsumer<Tasks, Handle<Data>> filling) {
        FlowGraph<Integer, Double> graph = FlowGraph.build("blocks", g -> {
            MemoryEdge<Data> blocks = g.memory("blocks", 1, Layout.of(DataType.FLOAT64, 8));
            FlowTask<Integer, Handle<Data>> fill = g.task("fill", 1, () -> (id, out) -> {
                Handle<Data> block = out.take(blocks);
                filling.accept(out.graph(), block);
                out.whenDone(then -> then.emit(block)); // else the other task might be the first to fail
            });
            FlowTask<Handle<Data>, Double> first = g.task("first", 1, () -> CheckedLoansTest::read);
            g.input().to(fill.takes(blocks)).to(first.releases(blocks)).to(g.output());
        });
        try (Session session = Session.builder().workers(2).checking().open();
                FlowRun<Integer, Double> run = graph.start(session)) {
            run.send(3);
            run.finish();
            return run.iterator().next();
        }
    }

    private static void read(Handle<Data> block, Emitter<Double> out) {
        double[] found = new double[1];
        out.graph()
                .task("read")
                .reads(block.value())
                .run(ctx -> found[0] = ctx.memory(block.value()).getDouble(0));
        out.whenDone(then -> {
            then.release(block);
            then.emit(found[0]);
        });
    }

    @Test
    void aTaskThatDeclaresTheDataMayAskTheHandleForIt() {
        assertEquals(
                7,
                first((graph, block) -> graph.task("fill")
                        .writes(block.value())
                        .run(ctx -> ctx.memory(block.value()).setDouble(0, 7))));
    }

    @Test
    void aTaskThatDoesNotDeclareTheDataIsRefusedItsElements() {
        FlowFailedException thrown = assertThrows(
                FlowFailedException.class,
                () -> first((graph, block) ->
                        graph.task("fill").run(ctx -> ctx.memory(block.value()).setDouble(0, 7))));
        assertTrue(thrown.toString().contains("touches \"blocks\" without a declared access"), thrown.toString());
    }
}
