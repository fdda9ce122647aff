package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.MemoryEdge.Allocator;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A buffer of a run that tasks of other graphs than the run's own use. */
@Timeout(180)
class LentToOthersTest {
    private final AtomicInteger recycled = new AtomicInteger();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    private final class Counting implements Allocator<int[]> {
        @Override
        public int[] allocate() {
            return new int[1];
        }

        @Override
        public void recycle(int[] buffer) {
            recycled.incrementAndGet();
        }
    }

    private void use(int[] buffer) throws InterruptedException {
        begun.countDown();
        goOn.await();
        buffer[0]++;
    }

    /** Lends the only buffer to what {@code user} begins, releases it meanwhile, and takes it again. */
    private void isLentBehind(BiConsumer<Session, Handle<int[]>> user) throws InterruptedException {
        List<MemoryEdge<int[]>> edge = new ArrayList<>();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("lends", g -> {
            edge.add(g.memory("e", 1, new Counting()).takenOutside().releasedOutside());
            g.input()
                    .to(g.<Integer, Integer>task("task", 1, () -> (n, out) -> out.emit(n)))
                    .to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            Handle<int[]> first = run.take(edge.getFirst(), ReleaseRule.once());
            user.accept(session, first);
            begun.await();
            run.release(first);
            int early = recycled.get();
            goOn.countDown();
            Handle<int[]> second = run.take(edge.getFirst(), ReleaseRule.once());
            assertEquals(0, early, "given back while it was used");
            assertEquals(1, recycled.get());
            assertNotSame(first, second);
            assertSame(first.value(), second.value());
            assertEquals(1, second.value()[0]);
            run.release(second);
        }
    }

    @Test
    void aTaskOfAnotherGraphKeepsTheBuffer() throws InterruptedException {
        isLentBehind(
                (session, lent) -> session.graph().task("user").updates(lent).run(ctx -> use(lent.value())));
    }

    @Test
    void aTaskThatUsesAPartKeepsTheBuffer() throws InterruptedException {
        isLentBehind((session, lent) -> {
            Handle<int[]> part = session.wrap("part", lent.value(), lent);
            session.graph().task("user").updates(part).run(ctx -> use(ctx.get(part)));
        });
    }

    @Test
    void aRunOfACompiledGraphKeepsTheBuffer() throws InterruptedException {
        isLentBehind((session, lent) -> {
            CompiledGraph user =
                    session.record("user", rec -> rec.task("user").updates(lent).run(ctx -> use(lent.value())));
            user.start();
        });
    }

    @Test
    void aBufferThatIsReleasedBehindTasksIsNotLent() throws InterruptedException {
        List<MemoryEdge<int[]>> edge = new ArrayList<>();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("lends", g -> {
            edge.add(g.memory("e", 2, new Counting()).takenOutside().releasedOutside());
            g.input().to(g.output());
        });
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> run = graph.start(session)) {
            Handle<int[]> lent = run.take(edge.getFirst(), ReleaseRule.once());
            assertEquals(1, run.profile().memories().getFirst().live());
            session.graph().task("user").updates(lent).run(ctx -> use(lent.value()));
            begun.await();
            run.release(lent);
            int live = run.profile().memories().getFirst().live();
            List<String> outstanding = run.report().outstanding();
            String text = session.snapshot().toString();
            goOn.countDown();
            assertEquals(0, live);
            assertEquals(List.of(), outstanding);
            assertTrue(
                    text.contains("memory edge \"e\": of 2 buffers 0 lent, 1 released behind tasks, 0 granted, 1 free"),
                    text);
        }
    }

    @Test
    void aBufferThatIsNotReleasedIsFreedBehindTheTasksThatUseIt() {
        AtomicInteger used = new AtomicInteger();
        List<Integer> whenFreed = new ArrayList<>();
        List<MemoryEdge<int[]>> edge = new ArrayList<>();
        FlowGraph<Integer, Integer> graph = FlowGraph.build("lends", g -> {
            edge.add(g.memory("e", 1, new Allocator<int[]>() {
                        @Override
                        public int[] allocate() {
                            return new int[1];
                        }

                        @Override
                        public void free(int[] buffer) {
                            whenFreed.add(used.get());
                        }
                    })
                    .takenOutside()
                    .releasedOutside());
            g.input().to(g.output());
        });
        try (Session session = Session.builder().workers(1).open()) {
            try (FlowRun<Integer, Integer> run = graph.start(session)) {
                Handle<int[]> lent = run.take(edge.getFirst(), ReleaseRule.once());
                session.graph().task("user").updates(lent).run(ctx -> used.incrementAndGet());
                run.cancel(); // the only worker is this thread, which has not run the task yet
            }
            assertEquals(List.of(1), whenFreed);
        }
    }
}
