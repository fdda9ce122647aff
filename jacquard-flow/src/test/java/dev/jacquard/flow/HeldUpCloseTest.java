package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A close that would wait for a view of the calling thread is refused, frees nothing, and may be called again. */
@Timeout(180)
class HeldUpCloseTest {
    private final List<MemoryEdge<int[]>> edge = new ArrayList<>();
    private final AtomicInteger freed = new AtomicInteger();

    private FlowGraph<Integer, Handle<int[]>> graph() {
        MemoryEdge.Allocator<int[]> allocator = new MemoryEdge.Allocator<>() {
            @Override
            public int[] allocate() {
                return new int[1];
            }

            @Override
            public void free(int[] buffer) {
                buffer[0] = -1;
                freed.incrementAndGet();
            }
        };
        return FlowGraph.build("lends", g -> {
            edge.add(g.memory("e", 1, allocator).releasedOutside());
            FlowTask<Integer, Handle<int[]>> task = g.<Integer, Handle<int[]>>task("task", 1, () -> (n, out) -> {
                        Handle<int[]> lent = out.take(edge.getFirst());
                        out.graph().task("sets").updates(lent).run(ctx -> ctx.get(lent)[0] = n);
                        out.emitWhenDone(lent);
                    })
                    .takes(edge.getFirst());
            g.input().to(task).to(g.output());
        });
    }

    private static Handle<int[]> result(FlowRun<Integer, Handle<int[]>> run) {
        run.send(5);
        run.finish();
        Handle<int[]> lent = run.iterator().next();
        run.await();
        return lent;
    }

    private void assertRefused(FlowRun<Integer, Handle<int[]>> run) {
        for (int call = 0; call < 2; call++) {
            assertMentions(assertThrows(IllegalStateException.class, run::close), "\"lends\" would never be over");
            assertEquals(0, freed.get());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theBuffersAreFreedOnceTheViewIsClosed(boolean released) {
        List<Integer> seen = new ArrayList<>();
        try (Session session = Session.builder().workers(1).open()) {
            FlowRun<Integer, Handle<int[]>> run = graph().start(session);
            Handle<int[]> lent = result(run);
            UserView view = session.lock(lent, Mode.READ);
            session.graph().task("last").updates(lent).run(ctx -> seen.add(ctx.get(lent)[0]));
            if (released) {
                run.release(lent);
            }
            assertRefused(run);
            assertEquals(5, view.get(lent)[0]);
            view.close();
            if (released) {
                run.close();
            } else {
                assertMentions(assertThrows(IllegalStateException.class, run::close), "never released");
            }
            assertEquals(1, freed.get());
            run.close();
            assertEquals(1, freed.get());
            session.graph().await();
        }
        assertEquals(List.of(5), seen);
    }

    @Test
    void aCloseByAnotherThreadWaitsForTheView() throws InterruptedException {
        try (Session session = Session.builder().workers(2).open()) { // this thread runs nothing while it joins
            FlowRun<Integer, Handle<int[]>> run = graph().start(session);
            Handle<int[]> lent = result(run);
            UserView view = session.lock(lent, Mode.READ);
            run.release(lent);
            assertRefused(run);
            Thread other = Thread.ofPlatform().start(run::close);
            assertEquals(0, freed.get());
            view.close();
            other.join();
            assertEquals(1, freed.get());
        }
    }

    @Test
    void theSessionEndsTheRunAndTheViewThatHeldUpItsClose() {
        Session session = Session.builder().workers(1).open();
        FlowRun<Integer, Handle<int[]>> run = graph().start(session);
        Handle<int[]> lent = result(run);
        UserView view = session.lock(lent, Mode.READ);
        run.release(lent);
        assertRefused(run);
        assertMentions(assertThrows(IllegalStateException.class, session::close), "still open");
        assertTrue(!view.isOpen());
        assertEquals(1, freed.get());
    }
}
