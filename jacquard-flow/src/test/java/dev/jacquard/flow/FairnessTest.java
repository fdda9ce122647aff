package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Flows that share the workers of a session. One that never ends may keep one worker, not the others. */
@Timeout(180)
class FairnessTest {
    /** Goes round for ever, so that it is always ready, until it is told to stop. */
    private static FlowGraph<Integer, Integer> mill(AtomicBoolean stop, AtomicLong turns) {
        final class Wheel implements Body<Integer, Integer> {
            @Override
            public void execute(Integer item, Emitter<Integer> out) {
                turns.incrementAndGet();
                out.emit(item);
            }

            @Override
            public boolean canTerminate(boolean inputClosed) {
                return stop.get();
            }
        }
        return FlowGraph.build("mill", g -> {
            FlowTask<Integer, Integer> wheel = g.task("wheel", 1, Wheel::new).endsCycle();
            g.input().to(wheel).to(wheel);
            wheel.to(g.task("sink", 1, () -> (item, out) -> {})).endsHere();
        });
    }

    @Test
    void aFlowEndsBesideOneThatDoesNot() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong turns = new AtomicLong();
        try (Session session = Session.builder().workers(2).open();
                FlowRun<Integer, Integer> mill = mill(stop, turns).start(session)) {
            mill.send(1);
            mill.finish();
            Watchdog.until(() -> turns.get() > 0, "the mill turns");
            for (int round = 0; round < 5; round++) {
                assertEquals(
                        10_000,
                        FlowTest.run(FlowTest.chain(3), session.executor(), FlowTest.numbers(10_000))
                                .size());
            }
            stop.set(true);
            mill.await();
        }
    }

    @Test
    void aFlowEndsBesideAYoungerOneThatDoesNotOnTheSameWorker() throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong turns = new AtomicLong();
        try (Session session = Session.builder().workers(1).open();
                FlowRun<Integer, Integer> run = FlowTest.chain(3).start(session);
                FlowRun<Integer, Integer> mill = mill(stop, turns).start(session)) {
            run.sendAll(FlowTest.numbers(1_000));
            run.finish();
            mill.send(1);
            mill.finish();
            session.awaitUntil(() -> turns.get() > 0);
            int count = 0;
            for (int item : run) {
                count += item > 0 ? 1 : 0;
            }
            assertEquals(1_000, count);
            stop.set(true);
            mill.await();
        }
    }

    @Test
    void flowsWithOneWorkerAllEndWhicheverIsWaitedForFirst() {
        try (Session session = Session.builder().workers(1).open()) {
            List<FlowRun<Integer, Integer>> runs = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                FlowRun<Integer, Integer> run = FlowTest.chain(3).start(session);
                run.sendAll(FlowTest.numbers(10_000));
                run.finish();
                runs.add(run);
            }
            for (FlowRun<Integer, Integer> run : runs) {
                int count = 0;
                for (int item : run) {
                    count += item > 0 ? 1 : 0;
                }
                assertEquals(10_000, count);
                run.close();
            }
        }
    }
}
