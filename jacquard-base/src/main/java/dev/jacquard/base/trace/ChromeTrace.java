package dev.jacquard.base.trace;

import dev.jacquard.base.trace.TraceLane.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * Writes a trace in the Trace Event format, which Perfetto and chrome://tracing open: a thread per lane, a complete
 * event ("ph": "X") per span, times in microseconds from the trace's origin. Events become a nested asynchronous slice
 * ("b", "e") for each id: an outer slice covers all its events, with inner slices from one event to the next; the last
 * event is an instant ("n").
 */
public final class ChromeTrace {
    private static final String HEAD = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
    private static final String FOOT = "\n]}\n";

    private final Trace trace;
    /** The number of the process in the document. */
    private final int process;
    /** The time that the document calls 0. */
    private final long origin;

    /** A writer for {@code trace}. */
    public ChromeTrace(Trace trace) {
        this(trace, 1, trace.originNanos());
    }

    /**
     * A writer for the trace of one of several processes.
     *
     * @param process its number, from 1 on
     * @param originNanos the time of the trace's clock that the document calls 0
     */
    public ChromeTrace(Trace trace, int process, long originNanos) {
        this.trace = trace;
        this.process = process;
        this.origin = originNanos;
    }

    /**
     * Writes a document of several processes.
     *
     * @param events the events of each process, see {@link #writeEvents}
     */
    public static void writeAll(List<String> events, Writer out) throws IOException {
        out.write(HEAD);
        out.write(String.join(",\n", events));
        out.write(FOOT);
    }

    /**
     * Writes the whole document; {@code process} names it in the viewer.
     *
     * @throws IOException when {@code out} does
     */
    public void write(String process, Writer out) throws IOException {
        write(process, (lane, span) -> Map.of(), out);
    }

    /**
     * Writes the whole document, with numbers that the viewer shows with each span.
     *
     * @param name names the process in the viewer
     * @param numbers returns those of a span by what they are, besides its argument; called once for each
     * @throws IOException when {@code out} does
     */
    public void write(String name, BiFunction<TraceLane, TraceLane.Span, Map<String, Long>> numbers, Writer out)
            throws IOException {
        out.write(HEAD);
        writeEvents(name, numbers, out);
        out.write(FOOT);
    }

    /**
     * Writes the events alone, with commas between them.
     *
     * @param name names the process in the viewer
     * @param numbers returns those of a span by what they are, besides its argument; called once for each
     * @throws IOException when {@code out} does
     */
    public void writeEvents(String name, BiFunction<TraceLane, TraceLane.Span, Map<String, Long>> numbers, Writer out)
            throws IOException {
        out.write("{\"ph\":\"M\",\"pid\":" + process + ",\"name\":\"process_name\",\"args\":{\"name\":" + quoted(name)
                + "}}");
        int thread = 0;
        try {
            for (TraceLane lane : trace.lanes()) {
                int id = ++thread;
                out.write(",\n{\"ph\":\"M\",\"pid\":" + process + ",\"tid\":" + id
                        + ",\"name\":\"thread_name\",\"args\":{\"name\":" + quoted(lane.name()) + "}}");
                lane.spans(span -> writeSpan(id, span, numbers.apply(lane, span), out));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (List<Event> life : lives()) {
            writeLife(life, out);
        }
    }

    /** The events by their ids, each in the order of time; of two at a time the one with the older name comes first. */
    private Collection<List<Event>> lives() {
        Map<Long, List<Event>> byId = new TreeMap<>();
        for (TraceLane lane : trace.lanes()) {
            lane.events(event ->
                    byId.computeIfAbsent(event.id(), id -> new ArrayList<>()).add(event));
        }
        Comparator<Event> order = Comparator.comparingLong(Event::nanos).thenComparingInt(Event::whatId);
        byId.values().forEach(life -> life.sort(order));
        return byId.values();
    }

    private void writeLife(List<Event> life, Writer out) throws IOException {
        Event first = life.getFirst();
        Event last = life.getLast();
        writeAsync('b', first.nameId(), first.id(), first.nanos(), out);
        for (int i = 0; i + 1 < life.size(); i++) {
            int what = life.get(i).whatId();
            writeAsync('b', what, first.id(), life.get(i).nanos(), out);
            writeAsync('e', what, first.id(), life.get(i + 1).nanos(), out);
        }
        writeAsync('n', last.whatId(), first.id(), last.nanos(), out);
        writeAsync('e', first.nameId(), first.id(), last.nanos(), out);
    }

    private void writeAsync(char phase, int nameId, long id, long nanos, Writer out) throws IOException {
        out.write(",\n{\"ph\":\"" + phase + "\",\"cat\":\"state\",\"id\":\"" + id + "\",\"pid\":" + process
                + ",\"tid\":0,\"name\":" + quoted(trace.nameOf(nameId)) + ",\"ts\":" + micros(nanos - origin) + "}");
    }

    private void writeSpan(int thread, TraceLane.Span span, Map<String, Long> numbers, Writer out) {
        StringBuilder args = new StringBuilder("{\"id\":").append(span.argument());
        numbers.forEach((name, number) ->
                args.append(',').append(quoted(name)).append(':').append(number.longValue()));
        try {
            out.write(",\n{\"ph\":\"X\",\"pid\":" + process + ",\"tid\":" + thread + ",\"name\":"
                    + quoted(trace.nameOf(span.nameId()))
                    + ",\"ts\":" + micros(span.startNanos() - origin) + ",\"dur\":"
                    + micros(span.endNanos() - span.startNanos()) + ",\"args\":" + args + "}}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String micros(long nanos) {
        long fraction = Math.abs(nanos % 1000);
        return (nanos < 0 ? "-" : "") + Math.abs(nanos / 1000) + "." + (char) ('0' + fraction / 100)
                + (char) ('0' + fraction / 10 % 10) + (char) ('0' + fraction % 10);
    }

    /**
     * {@code text} as a JSON string; half a surrogate pair, which no file of text may have, becomes a question mark.
     */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                quoted.append(c).append(text.charAt(++i));
            } else if (Character.isSurrogate(c)) {
                quoted.append('?');
            } else if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < 0x20) {
                quoted.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
