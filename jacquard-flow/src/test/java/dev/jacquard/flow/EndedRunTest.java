package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Handle;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A run that is over keeps no buffer alive: a session's time stands still here, so that no timer is ever due. */
@Timeout(60)
class EndedRunTest {
    private static final int RUNS = 20;
    private static final int ITEMS = 200;
    /** Workers may remember what they ran last. */
    private static final int FEW = 4;

    private final List<WeakReference<Object>> buffers = new CopyOnWriteArrayList<>();

    private byte[] allocate() {
        byte[] buffer = new byte[1000];
        buffers.add(new WeakReference<>(buffer));
        return buffer;
    }

    private FlowGraph<Integer, Integer> graph() {
        return FlowGraph.build("lends", g -> {
            g.types(Integer.class, Integer.class);
            MemoryEdge<byte[]> memory = g.memory("memory", 1, this::allocate);
            FlowTask<Integer, Integer> lends = g.task("lends", 1, () -> new Remembering(memory))
                    .takes(memory)
                    .releases(memory)
                    .poll(Duration.ofDays(1));
            g.input().to(lends).to(g.output());
        });
    }

    /** Remembers what it last used, as rules do that wait for a second item. */
    private static final class Remembering implements Body<Integer, Integer> {
        private final MemoryEdge<byte[]> memory;
        private byte[] last = {};

        Remembering(MemoryEdge<byte[]> memory) {
            this.memory = memory;
        }

        @Override
        public void execute(Integer item, Emitter<Integer> out) throws Exception {
            Handle<byte[]> buffer = out.take(memory, ReleaseRule.after(1));
            assertTrue(last.length == 0 || last == buffer.value());
            last = buffer.value();
            out.release(buffer);
            out.emit(item);
        }
    }

    private void run(Session session) {
        try (FlowRun<Integer, Integer> run = graph().start(session)) {
            run.sendAll(IntStream.range(0, ITEMS).boxed().toList());
            run.finish();
            int got = 0;
            for (Integer _ : run) {
                got++;
            }
            assertEquals(ITEMS, got);
        }
    }

    @Test
    void noTimerKeepsItsBuffersAlive() {
        try (Session session = Session.builder().workers(2).clock(() -> 0).open()) {
            for (int i = 0; i < RUNS; i++) {
                run(session);
            }
            assertEquals(RUNS, buffers.size());
            long alive = RUNS;
            for (int tries = 0; tries < 20 && alive > FEW; tries++) {
                System.gc();
                alive = buffers.stream().filter(buffer -> buffer.get() != null).count();
            }
            assertTrue(alive <= FEW, alive + " of " + RUNS + " runs keep their buffer");
        }
    }
}
