package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.memory.data.Handle;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A run that is over keeps no buffer alive: a session's time stands still here, so that no timer is ever due. */
@Timeout(180)
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

    /** The ways in which a run ends. */
    enum End {
        DONE,
        CANCELLED,
        FAILED
    }

    private FlowGraph<Integer, Integer> graph(End end) {
        return FlowGraph.build("lends", g -> {
            g.types(Integer.class, Integer.class);
            MemoryEdge<byte[]> memory = g.memory("memory", 1, this::allocate);
            FlowTask<Integer, Integer> lends = g.task("lends", 1, () -> new Remembering(memory, end))
                    .takes(memory)
                    .releases(memory)
                    .poll(Duration.ofDays(1));
            g.input().to(lends).to(g.output());
        });
    }

    /** Remembers what it last used, as rules do that wait for a second item. */
    private static final class Remembering implements Body<Integer, Integer> {
        private final MemoryEdge<byte[]> memory;
        private final End end;
        private byte[] last = {};

        Remembering(MemoryEdge<byte[]> memory, End end) {
            this.memory = memory;
            this.end = end;
        }

        @Override
        public void execute(Integer item, Emitter<Integer> out) throws Exception {
            Handle<byte[]> buffer = out.take(memory, ReleaseRule.after(1));
            assertTrue(last.length == 0 || last == buffer.value());
            last = buffer.value();
            out.release(buffer);
            if (end == End.FAILED && item == ITEMS - 1) {
                throw new IllegalStateException("the last item");
            }
            out.emit(item);
        }
    }

    private void run(Session session, End end) {
        try (FlowRun<Integer, Integer> run = graph(end).start(session)) {
            run.sendAll(IntStream.range(0, ITEMS).boxed().toList());
            run.finish();
            switch (end) {
                case DONE -> {
                    int got = 0;
                    for (Integer _ : run) {
                        got++;
                    }
                    assertEquals(ITEMS, got);
                }
                case CANCELLED -> {
                    assertEquals(0, run.iterator().next()); // so that the body remembers its buffer
                    run.cancel();
                }
                case FAILED -> assertThrows(FlowFailedException.class, run::await);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void noTimerKeepsItsBuffersAlive(End end) {
        try (Session session = Session.builder().workers(2).clock(() -> 0).open()) {
            for (int i = 0; i < RUNS; i++) {
                run(session, end);
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
