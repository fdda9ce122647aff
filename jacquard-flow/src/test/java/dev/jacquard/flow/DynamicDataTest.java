package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.memory.coherence.Transfers;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Resource;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory edges that make data for each loan, whose bodies release before the tasks on the data are over. */
@Timeout(180)
class DynamicDataTest {
    private static final int SIZE = 2;
    private static final int ITEMS = 5;

    private final AtomicInteger written = new AtomicInteger();
    private final CompletableFuture<Integer> opens = new CompletableFuture<>();

    /** Returns what may be read when {@link #opens} is complete. */
    private Resource gate(Session session) {
        Resource gate = session.resource("gate");
        session.graph().task("gate").updates(gate).start(ctx -> opens);
        return gate;
    }

    /** Writes a block for each item; it is in use until {@code gate} may be read. */
    private FlowGraph<Integer, Integer> writing(Resource gate) {
        return FlowGraph.build("writes", g -> {
            MemoryEdge<Data> blocks =
                    g.memory("blocks", SIZE, Layout.of(DataType.INT64, 8)).dynamic();
            FlowTask<Integer, Integer> write = g.task("write", 1, () -> (item, out) -> {
                Handle<Data> block = out.take(blocks);
                Data data = block.value();
                out.graph().task("set").writes(data).run(ctx -> {
                    ctx.memory(data).setLong(0, item);
                    written.incrementAndGet();
                });
                out.graph().task("uses").reads(data).reads(gate).run(ctx -> {});
                out.release(block);
                out.emitWhenDone(item);
            });
            g.input().to(write.takes(blocks).releases(blocks)).to(g.output());
        });
    }

    /** Sends all items, and waits until some of them wait for blocks, or there are more blocks than may be. */
    private void send(Session session, FlowRun<Integer, Integer> run) throws InterruptedException {
        for (int i = 0; i < ITEMS; i++) {
            run.send(i);
        }
        run.finish();
        String waiting = (ITEMS - SIZE) + " of them for buffers";
        session.awaitUntil(() -> written.get() > SIZE
                || (written.get() == SIZE && session.snapshot().toString().contains(waiting)));
    }

    @Test
    void areNotMoreThanTheSizeAllows() throws InterruptedException {
        try (Session session = Session.builder().workers(1).open()) {
            Resource gate = gate(session);
            try (FlowRun<Integer, Integer> run = writing(gate).start(session)) {
                send(session, run);
                assertEquals(SIZE, written.get());
                opens.complete(0);
                int sum = 0;
                for (int item : run) {
                    sum += item;
                }
                assertEquals(ITEMS * (ITEMS - 1) / 2, sum);
            }
            Transfers.Used host = session.data().transfers().spaces().getFirst();
            assertEquals(SIZE * 64, host.peak(), host.toString());
            assertEquals(0, host.bytes(), host.toString());
        }
    }

    @Test
    void areGivenBackWhenTheRunIsCancelledMeanwhile() throws InterruptedException {
        try (Session session = Session.builder().workers(1).open()) {
            Resource gate = gate(session);
            try (FlowRun<Integer, Integer> run = writing(gate).start(session)) {
                send(session, run);
                run.cancel();
                opens.complete(0);
                assertThrows(CancellationException.class, run::await);
            }
            session.graph().await();
            Transfers.Used host = session.data().transfers().spaces().getFirst();
            assertEquals(0, host.bytes(), host.toString());
        }
    }

    @Test
    void areGivenBackBehindTasksOfOtherGraphsWhileTheRunIsClosed() {
        try (Session session = Session.builder().workers(1).open()) {
            Resource gate = gate(session);
            FlowGraph<Integer, Integer> graph = FlowGraph.build("writes", g -> {
                MemoryEdge<Data> blocks =
                        g.memory("blocks", 1, Layout.of(DataType.INT64, 8)).dynamic();
                FlowTask<Integer, Integer> write = g.task("write", 1, () -> (item, out) -> {
                    Handle<Data> block = out.take(blocks);
                    Data data = block.value();
                    out.graph()
                            .task("set")
                            .writes(data)
                            .run(ctx -> ctx.memory(data).setLong(0, item));
                    session.graph().task("uses").reads(data).reads(gate).run(ctx -> {});
                    out.release(block);
                    out.emitWhenDone(item);
                });
                g.input().to(write.takes(blocks).releases(blocks)).to(g.output());
            });
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                run.send(7);
                run.finish();
                for (int item : run) {
                    assertEquals(7, item);
                }
                opens.complete(0); // the only worker is this thread, which waits when it closes the run
            }
            session.graph().await();
            Transfers.Used host = session.data().transfers().spaces().getFirst();
            assertEquals(0, host.bytes(), host.toString());
        }
    }
}
