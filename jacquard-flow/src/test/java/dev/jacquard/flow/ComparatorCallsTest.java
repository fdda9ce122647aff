package dev.jacquard.flow;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.session.Session;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.report.FlowFailedException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Comparators are called under locks: what they may not call there throws, and fails their run, and nothing else. */
@Timeout(180)
class ComparatorCallsTest {
    /** A use of the run by its own comparator. */
    @FunctionalInterface
    private interface Call {
        void on(Session session, FlowRun<Integer, Integer> run);
    }

    static Stream<Named<Call>> calls() {
        return Stream.of(
                Named.of("cancel", (session, run) -> run.cancel()),
                Named.of("report", (session, run) -> run.report()),
                Named.of("profile", (session, run) -> run.profile()),
                Named.of("snapshot", (session, run) -> session.snapshot()),
                Named.of("send", (session, run) -> run.send(1)),
                Named.of("finish", (session, run) -> run.finish()),
                Named.of("await", (session, run) -> run.await()),
                Named.of("close", (session, run) -> run.close()),
                Named.of("next", (session, run) -> run.iterator().next()));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void theRunIsNotUsedByItsComparator(Call call) {
        for (boolean takes : new boolean[] {false, true}) {
            AtomicReference<FlowRun<Integer, Integer>> known = new AtomicReference<>();
            try (Session session = Session.builder().workers(2).open()) {
                FlowGraph<Integer, Integer> graph = FlowGraph.build("order", g -> {
                    MemoryEdge<int[]> edge = g.memory("e", 2, () -> new int[1]).takenOutside();
                    edge.releasedOutside();
                    FlowTask<Integer, Integer> all = g.task("all", 1, () -> (n, out) -> {
                        for (int i = 0; i < 50; i++) { // so many that some wait together
                            out.emit(i);
                        }
                    });
                    FlowTask<Integer, Integer> task = g.task("task", 1, () -> (n, out) -> out.emit(n));
                    task.priority((a, b) -> {
                        call.on(session, Objects.requireNonNull(known.get()));
                        return Integer.compare(a, b);
                    });
                    g.input().to(all).to(takes ? task.takes(edge) : task).to(g.output());
                });
                try (FlowRun<Integer, Integer> run = graph.start(session)) {
                    known.set(run);
                    FlowFailedException failed = assertThrows(FlowFailedException.class, () -> {
                        run.sendAll(IntStream.range(0, 20).boxed().toList());
                        run.finish();
                        run.await();
                    });
                    assertMentions(failed, "is used by the priority of its own task \"task\"");
                    RandomFlow.checkNothingIsLost(run);
                }
                assertEquals(3, session.graph().task("later").call(context -> 3).join());
            }
        }
    }
}
