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
    private static final int ITEMS = 200;

    private final List<String> order = new ArrayList<>();
    /** The items that the second node has passed on to the third. */
    private final List<Integer> forThird = new ArrayList<>();

    private SeededSchedule schedule = new SeededSchedule(1, 1);

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
        schedule = new SeededSchedule(1, workers);
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

    /**
     * Three nodes pass items on. The first has its turn as the oldest behind a node that takes more than a millisecond.
     */
    @Test
    void whatHasHadItsTurnAsTheOldestStaysTheOldest() {
        run(1, node("begin", worker -> first(worker, ITEMS)));
        int inTurn = 0;
        for (int n = ITEMS; n > 1; n--) {
            inTurn += order.indexOf("third " + n) < order.indexOf("first " + (n - 1)) ? 1 : 0;
        }
        int most = ITEMS - 1;
        assertTrue(inTurn < most, "it never had its turn");
        assertTrue(inTurn >= most - ITEMS / 20, inTurn + " of " + most + " items went on"); // else some 40 do not
    }

    private void first(WorkerContext worker, int left) {
        if (left == 0) {
            return;
        }
        worker.ready(node("second " + left, second -> {
            schedule.passTime(left % 20 == 0 ? 2_000 : 110); // now and then more than a millisecond
            forThird.add(left);
            if (forThird.size() == 1) {
                second.ready(node("third", third -> {
                    schedule.passTime(110);
                    forThird.forEach(n -> order.add("third " + n));
                    forThird.clear();
                }));
            }
        }));
        worker.readyBehind(node("first " + (left - 1), first -> {
            schedule.passTime(110);
            first(first, left - 1);
        }));
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
