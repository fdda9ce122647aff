package dev.jacquard.flow;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.flow.report.FlowFailedException;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.List;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that cannot route items by measured time. */
@Timeout(180)
class RoutingCheckTest {
    private static String problems(FlowGraph<?, ?> graph) {
        assertFalse(graph.check().isFine());
        return graph.check().toString();
    }

    @Test
    void aTaskThatCannotRouteIsRefused() {
        String none = problems(FlowGraph.<Integer, Integer>build(
                "none",
                g -> g.input()
                        .to(g.<Integer, Integer>task("t", 2, () -> (n, out) -> out.emit(n))
                                .byMeasuredTime())
                        .to(g.output())));
        assertTrue(none.contains("task \"t\" routes items by measured time, and its copies are on no targets"), none);
        String ordered = problems(FlowGraph.<Integer, Integer>build(
                "ordered",
                g -> g.input()
                        .to(g.<Integer, Integer>task("t", 2, () -> (n, out) -> out.emit(n))
                                .on(ExecutionTarget.HOST)
                                .priority(Integer::compare)
                                .byMeasuredTime())
                        .to(g.output())));
        assertTrue(ordered.contains("has a priority: leave out one of the two"), ordered);
        assertThrows(
                NullPointerException.class,
                () -> FlowGraph.<Integer, Integer>build(
                        "null",
                        g -> g.input()
                                .to(g.<Integer, Integer>task("t", 2, () -> (n, out) -> out.emit(n))
                                        .byMeasuredTime(given()))
                                .to(g.output())));
    }

    @SuppressWarnings("NullAway") // the refusal of null is tested
    private static ToLongFunction<Integer> given() {
        return null;
    }

    @Test
    void aKernelWithoutAnImplementationForTheHostIsRefusedThere() {
        Kernel deviceOnly = Kernel.named("device only")
                .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("device only", launch -> {}));
        FlowGraph<Integer, Integer> graph = FlowGraph.build(
                "refused",
                g -> g.input()
                        .to(g.<Integer, Integer>task("work", 2, () -> (item, out) -> {
                                    out.graph().task("launch").run(deviceOnly);
                                    out.emitWhenDone(item);
                                })
                                .on(ExecutionTarget.EMULATED, ExecutionTarget.HOST)
                                .byMeasuredTime())
                        .to(g.output()));
        try (Session session = Session.builder()
                .workers(2)
                .device(EmulatedDevice.offer("emulated0"))
                .open()) {
            FlowRun<Integer, Integer> run = graph.start(session);
            run.sendAll(List.of(1, 2, 3));
            run.finish();
            FlowFailedException failed = assertThrows(FlowFailedException.class, run::await);
            assertTrue(failed.toString().contains("not for host, which the task is for"), failed.toString());
            run.close();
        }
    }
}
