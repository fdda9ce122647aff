package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.session.Session;
import dev.jacquard.testkit.Watchdog;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An input with a bound, which is full. */
@Timeout(180)
class FullInputTest {
    @Test
    void aSendIntoAFullInputIsRefusedInsideATask() {
        CountDownLatch gate = new CountDownLatch(1);
        try (Session session = Session.builder().workers(2).open()) {
            FlowGraph<Integer, Integer> graph = FlowGraph.build("held", g -> {
                FlowTask<Integer, Integer> held = g.task("held", 1, () -> (n, out) -> {
                    Watchdog.await(gate, "the gate");
                    out.emit(n);
                });
                g.input().to(held).to(g.output());
            });
            FlowRun.Options options =
                    FlowRun.Options.defaults().withDedicatedThreads().withInputBound(1);
            try (FlowRun<Integer, Integer> run = graph.start(session, options)) {
                run.send(1);
                run.send(2); // when the first one has been taken
                Task<Throwable> refused = session.graph()
                        .task("sends")
                        .call(context -> assertThrows(IllegalStateException.class, () -> run.send(3)));
                assertMentions(refused.join(), "must not wait for others");
                gate.countDown();
                Set<Integer> results = new TreeSet<>();
                run.finish();
                run.forEach(results::add);
                assertEquals(Set.of(1, 2), results);
            } finally {
                gate.countDown();
            }
        }
    }
}
