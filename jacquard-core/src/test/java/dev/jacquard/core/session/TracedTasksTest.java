package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.trace.ChromeTrace;
import dev.jacquard.base.trace.Json;
import dev.jacquard.base.trace.Trace;
import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.base.trace.TraceLane.Span;
import dev.jacquard.base.trace.TraceMode;
import dev.jacquard.memory.data.Handle;
import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The spans and states of tasks in the trace of a session. */
@Timeout(180)
class TracedTasksTest {
    private final AtomicLong time = new AtomicLong(1_000);

    @Test
    void tasksLeaveSpansOnTheSessionsClock() throws IOException {
        try (Session session = Session.builder()
                .workers(1)
                .trace(100)
                .clock(() -> time.addAndGet(1_000))
                .open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            session.graph().task("first").updates(x).run(context -> {});
            session.graph().task("second").updates(x).run(context -> {});
            session.graph().await();
            List<Span> spans = spansOf(session.trace().lanes().getFirst());
            assertEquals(2, spans.size());
            assertEquals("first", session.trace().nameOf(spans.getFirst().nameId()));
            assertTrue(spans.get(0).endNanos() <= spans.get(1).startNanos());
        }
    }

    @Test
    void tasksBackToBackNeedOneReadingOfTheClockEach() {
        AtomicLong readings = new AtomicLong();
        try (Session session = Session.builder()
                .workers(1)
                .stallWatch(Duration.ZERO, text -> {}) // whose timer would read it too
                .trace(100)
                .clock(() -> {
                    readings.incrementAndGet();
                    return time.addAndGet(1_000);
                })
                .open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            for (int i = 0; i < 90; i++) { // at first the worker looks up after 1, 2, 4, ... nodes; then after 64
                session.graph().task("first").updates(x).run(context -> {});
            }
            session.graph().await();
            for (int i = 0; i < 90; i++) {
                session.graph().task("t").updates(x).run(context -> {});
            }
            long before = readings.get();
            session.graph().await();
            long needed = readings.get() - before; // one for the first one's start, two for looks
            assertTrue(needed <= 90 + 3, () -> "readings: " + needed);
            List<Span> all = spansOf(session.trace().lanes().getFirst());
            List<Span> spans = all.subList(all.size() - 90, all.size());
            for (int i = 1; i < spans.size(); i++) {
                assertEquals(spans.get(i - 1).endNanos(), spans.get(i).startNanos());
            }
        }
    }

    @Test
    void statesAreAModeOfTheirOwnAndValidForViewers() throws IOException {
        Trace states;
        try (Session session = Session.builder()
                .workers(1)
                .trace(TraceMode.STATES, 100)
                .clock(() -> time.addAndGet(1_000))
                .open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            session.graph().task("first").updates(x).run(context -> {});
            session.graph().task("second").updates(x).run(context -> {});
            session.graph().await();
            states = session.trace();
        }
        List<String> told = new ArrayList<>();
        for (TraceLane lane : states.lanes()) {
            lane.events(event -> told.add(event.id() + " " + states.nameOf(event.nameId()) + " "
                    + states.nameOf(event.whatId()) + " on " + lane.name()));
        }
        told.sort(null);
        assertEquals(
                List.of(
                        "0 first done on worker 0",
                        "0 first pending on outside of workers",
                        "0 first ready on outside of workers",
                        "0 first running on worker 0",
                        "1 second done on worker 0",
                        "1 second pending on outside of workers",
                        "1 second ready on worker 0",
                        "1 second running on worker 0"),
                told);
        StringWriter text = new StringWriter();
        new ChromeTrace(states).write("app", text);
        Json.requireValid(text.toString());
        assertEquals(
                "b first, b pending, e pending, b ready, e ready, b running, e running, n done, e first",
                asyncOf(text, 0));
        assertEquals(
                "b second, b pending, e pending, b ready, e ready, b running, e running, n done, e second",
                asyncOf(text, 1));
        assertTrue(text.toString().contains("\"ph\":\"X\""), "bodies are spans all the same");
    }

    private static String asyncOf(StringWriter text, int id) {
        List<String> found = new ArrayList<>();
        text.toString()
                .lines()
                .filter(line -> line.contains("\"id\":\"" + id + '"'))
                .forEach(line -> {
                    String name = line.substring(line.indexOf("\"name\":\"") + 8);
                    found.add(line.charAt(line.indexOf("\"ph\":\"") + 6) + " " + name.substring(0, name.indexOf('"')));
                });
        return String.join(", ", found);
    }

    private static List<Span> spansOf(TraceLane lane) {
        List<Span> spans = new ArrayList<>();
        lane.spans(spans::add);
        return spans;
    }
}
