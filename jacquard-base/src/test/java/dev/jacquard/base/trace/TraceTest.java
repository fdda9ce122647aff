package dev.jacquard.base.trace;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.trace.TraceLane.Span;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lanes, names and the document of a trace. */
@Timeout(180)
class TraceTest {
    private final AtomicLong time = new AtomicLong(1_000);
    private final Trace trace = new Trace(time::get, 16);

    @Test
    void aLaneKeepsTheNewestSpansInOrder() {
        TraceLane lane = trace.lane("w");
        for (int i = 0; i < 100; i++) {
            lane.record(i, 10L * i, 10L * i + 5, -i);
        }
        List<Span> spans = spansOf(lane);
        assertEquals(15, spans.size());
        assertEquals(new Span(85, 850, 855, -85), spans.getFirst());
        assertEquals(new Span(99, 990, 995, -99), spans.getLast());
        assertEquals(85, lane.lost());
    }

    @Test
    void aLaneThatIsNotFullHasLostNothing() {
        TraceLane lane = trace.lane("w");
        assertEquals(List.of(), spansOf(lane));
        lane.record(1, 2, 3, 4);
        assertEquals(List.of(new Span(1, 2, 3, 4)), spansOf(lane));
        assertEquals(0, lane.lost());
    }

    @Test
    void whoReadsWhileTheOwnerRecordsSeesWholeSpansInOrder() {
        TraceLane lane = trace.lane("w");
        AtomicBoolean stop = new AtomicBoolean();
        CompletableFuture<Void> owner = onThread(() -> {
            for (int i = 0; !stop.get(); i++) {
                lane.record(i, i, i, i);
            }
        });
        AtomicLong seen = new AtomicLong();
        long[] newest = {-1};
        Watchdog.until(
                () -> {
                    newest[0] = -1;
                    lane.spans(span -> {
                        assertTrue(
                                span.startNanos() == (int) span.argument()
                                        && span.endNanos() == span.argument()
                                        && span.nameId() == span.argument(),
                                () -> "torn: " + span);
                        assertTrue(span.argument() > newest[0], "out of order");
                        newest[0] = span.argument();
                        seen.incrementAndGet();
                    });
                    return seen.get() > 200_000 && newest[0] > 1_000_000;
                },
                "many spans were read");
        stop.set(true);
        owner.join();
    }

    @Test
    void namesHaveOneIdEachWhoeverAsks() {
        for (int round = 0; round < 200; round++) {
            Trace shared = new Trace(time::get, 16);
            CountDownLatch together = new CountDownLatch(2);
            List<CompletableFuture<Void>> askers = new ArrayList<>();
            for (int asker = 0; asker < 2; asker++) {
                askers.add(onThread(() -> {
                    together.countDown();
                    Watchdog.await(together, "both ask");
                    for (int i = 0; i < 200; i++) {
                        String name = "n" + i;
                        assertEquals(name, shared.nameOf(shared.name(name)));
                    }
                }));
            }
            askers.forEach(CompletableFuture::join);
            assertEquals(200, shared.name("one more"));
        }
    }

    @Test
    void lanesMadeByManyThreadsAreAllThere() {
        for (int round = 0; round < 500; round++) {
            Trace shared = new Trace(time::get, 16);
            CountDownLatch together = new CountDownLatch(2);
            CompletableFuture<Void> other = onThread(() -> makeLanes(shared, together));
            makeLanes(shared, together);
            other.join();
            assertEquals(40, shared.lanes().size());
        }
    }

    @Test
    void lanesWithoutSpansAreNotKept() {
        Trace off = new Trace(time::get, TraceMode.OFF, 16);
        off.lane("w");
        assertEquals(List.of(), off.lanes());
        TraceLane own = off.lane("own", 4);
        assertEquals(List.of(own), off.lanes());
    }

    @Test
    void refusesACapacityThatNoArrayHolds() {
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> new Trace(time::get, Integer.MAX_VALUE)),
                "0 to 16777216 spans per lane",
                "2147483647");
        assertThrows(IllegalArgumentException.class, () -> new Trace(time::get, -1));
        assertFalse(new Trace(time::get, 0).on());
    }

    // ---- the viewer's format

    @Test
    void theDocumentIsWhatViewersExpect() throws IOException {
        TraceLane lane = trace.lane("worker 0");
        lane.record("fft", 1_001, 3_001, 7);
        assertEquals("""
                {"displayTimeUnit":"ms","traceEvents":[
                {"ph":"M","pid":1,"name":"process_name","args":{"name":"app"}},
                {"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"worker 0"}},
                {"ph":"X","pid":1,"tid":1,"name":"fft","ts":0.001,"dur":2.000,"args":{"id":7}}
                ]}
                """, document("app"));
    }

    @Test
    void namesOfAnyCharactersGiveValidJson() throws IOException {
        StringBuilder all = new StringBuilder("\\ \" / é \u2028 \uD83D\uDE00");
        for (char c = 0; c < 0x20; c++) {
            all.append(c);
        }
        TraceLane lane = trace.lane(all.toString());
        lane.record(all.toString(), -5, 1, Long.MIN_VALUE);
        Json.requireValid(document(all.toString()));
        assertEquals("\"a\\\"b\\\\c\\u000a\\u001f\"", ChromeTrace.quoted("a\"b\\c\n\u001f"));
        // a name that was cut in the middle of a sign
        assertEquals("\"a?b😀?c?\"", ChromeTrace.quoted("a\ud83db😀\ude00c\ud83d"));
    }

    @Test
    void aSpanBeforeTheOriginHasANegativeTime() throws IOException {
        trace.lane("w").record("early", 999, 1_000, 0);
        assertTrue(document("app").contains("\"ts\":-0.001,"), document("app"));
    }

    @Test
    void anErrorOfTheWriterReachesTheCaller() {
        trace.lane("w").record("x", 1_000, 1_001, 0);
        Writer full = new Writer() {
            @Override
            public void write(char[] text, int from, int count) throws IOException {
                if (new String(text, from, count).contains("\"X\"")) {
                    throw new IOException("disk full");
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        assertMentions(assertThrows(IOException.class, () -> new ChromeTrace(trace).write("app", full)), "disk full");
    }

    @Test
    void aTaskAfterOtherThingsDoesNotBeginWhereTheLastOneEnded() {
        TraceLane lane = trace.lane("w");
        long first = lane.beginTask();
        assertEquals(1_000, first);
        time.set(2_000);
        lane.endTask("a", first);
        assertEquals(2_000, lane.beginTask());
        time.set(3_000);
        lane.pause();
        assertEquals(3_000, lane.beginTask());
        lane.endTask("b", 3_000);
        lane.record("stage", 3_000, 4_000, 0);
        time.set(5_000);
        assertEquals(5_000, lane.beginTask());
    }

    @Test
    void aLifeOfWhichTheFirstEventsAreLostIsDrawnFromTheFirstKnownOneOn() throws IOException {
        TraceLane lane = trace.lane("w");
        lane.event("t", "done", 2_000, 7);
        String document = document("app");
        Json.requireValid(document);
        assertTrue(
                document.contains(
                        "\"ph\":\"n\",\"cat\":\"state\",\"id\":\"7\",\"pid\":1,\"tid\":0,\"name\":\"done\",\"ts\":1.000"),
                document);
        assertTrue(spansOf(lane).isEmpty());
    }

    @Test
    void ofEndlesslyManyNamesTheOldestGo() {
        TraceLane lane = trace.lane("w", 400_000);
        for (int i = 0; i < 300_000; i++) {
            lane.endTask("t" + i, 0);
        }
        List<TraceLane.Span> spans = spansOf(lane);
        assertEquals("t299999", trace.nameOf(spans.getLast().nameId()));
        assertEquals("t40000", trace.nameOf(spans.get(40_000).nameId()));
        assertEquals("(one of too many names)", trace.nameOf(spans.getFirst().nameId()));
        assertEquals("t0", trace.nameOf(trace.name("t0")));
    }

    @Test
    void aNameThatIsUsedAllTheTimeIsKeptAmongEndlesslyManyNames() {
        TraceLane lane = trace.lane("w", 16);
        lane.event("often", "done", 0, 0);
        for (int i = 0; i < 700_000; i++) {
            lane.endTask("t" + i, 0);
            if (i % 1000 == 999) {
                lane.record("often", 0, 1, 0);
                assertEquals("often", trace.nameOf(spansOf(lane).getLast().nameId()));
            }
        }
        lane.event("often", "done", 0, 0);
        lane.events(
                event -> assertEquals("often done", trace.nameOf(event.nameId()) + ' ' + trace.nameOf(event.whatId())));
    }

    @Test
    void aModeThatKeepsSomethingNeedsRoom() {
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> new Trace(time::get, TraceMode.STATES, 0)),
                "STATES",
                "at least 1 span",
                "TraceMode.OFF");
    }

    private String document(String process) throws IOException {
        StringWriter text = new StringWriter();
        new ChromeTrace(trace).write(process, text);
        return text.toString();
    }

    private static List<Span> spansOf(TraceLane lane) {
        List<Span> spans = new ArrayList<>();
        lane.spans(spans::add);
        return spans;
    }

    private static void makeLanes(Trace shared, CountDownLatch together) {
        together.countDown();
        Watchdog.await(together, "both make lanes");
        for (int i = 0; i < 20; i++) {
            shared.lane("lane " + i);
        }
    }

    private static CompletableFuture<Void> onThread(Runnable action) {
        return CompletableFuture.runAsync(action, task -> new Thread(task).start());
    }
}
