package dev.jacquard.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.Node;
import dev.jacquard.engine.work.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Nodes that make themselves ready behind what they made ready. */
class ReadyBehindTest {
    private final List<String> order = new ArrayList<>();

    private Node node(String name, Consumer<WorkerContext> body) {
        return new Scripted(name, Place.HOST, worker -> {
            order.add(name);
            body.accept(worker);
        });
    }

    private Node node(String name) {
        return node(name, worker -> {});
    }

    private void run(int workers, Node node) {
        SeededSchedule schedule = new SeededSchedule(1, workers);
        schedule.as(-1, () -> schedule.engine().ready(node));
        schedule.stepUntilAllSleep();
    }

    @Test
    void whatTheNodeMadeReadyRunsFirstTheNewestOfAll() {
        run(1, node("begin", worker -> {
            worker.ready(node("first"));
            worker.ready(node("second"));
            worker.readyBehind(node("again"));
        }));
        assertEquals(List.of("begin", "second", "first", "again"), order);
    }

    @Test
    void whatIsMadeReadyAtTheEndRunsFirst() {
        run(1, node("begin", worker -> {
            worker.readyBehind(node("again"));
            worker.readyAtEnd(node("end"));
        }));
        assertEquals(List.of("begin", "end", "again"), order);
        order.clear();
        run(1, node("begin", worker -> {
            worker.readyAtEnd(node("end"));
            worker.readyBehind(node("again"));
        }));
        assertEquals(List.of("begin", "end", "again"), order);
    }

    @Test
    void thatHasAnEnd() {
        run(1, node("begin", worker -> {
            for (int i = 1; i <= 20; i++) {
                worker.ready(node("made " + i));
            }
            worker.readyBehind(node("again"));
        }));
        assertEquals("made 20", order.get(1));
        assertEquals("again", order.get(17));
        assertEquals("made 1", order.getLast());
    }

    @Test
    void whatEarlierNodesMadeReadyStaysBehind() {
        Node later = node("later", worker -> worker.readyBehind(node("again")));
        run(1, node("begin", worker -> {
            worker.ready(node("old"));
            worker.readyAtEnd(later);
        }));
        assertEquals(List.of("begin", "later", "again", "old"), order);
    }

    @Test
    void nothingIsLostWhereOthersSteal() {
        for (int workers = 1; workers <= 3; workers++) {
            order.clear();
            run(workers, node("begin", worker -> chain(worker, 200)));
            assertEquals(1 + 200 + 200, order.size());
            assertTrue(order.contains("again 1") && order.contains("made 1"), order::toString);
        }
    }

    private void chain(WorkerContext worker, int left) {
        if (left > 0) {
            worker.ready(node("made " + left));
            worker.readyBehind(node("again " + left, next -> chain(next, left - 1)));
        }
    }
}
