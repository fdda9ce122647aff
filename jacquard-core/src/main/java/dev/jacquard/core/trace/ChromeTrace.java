package dev.jacquard.core.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;

/**
 * Writes a trace in the Trace Event format, which Perfetto and chrome://tracing open: a thread per lane, a complete event
 * ("ph": "X") per span, times in microseconds from the trace's origin.
 */
public final class ChromeTrace {
    private final Trace trace;

    /** A writer for {@code trace}. */
    public ChromeTrace(Trace trace) {
        this.trace = trace;
    }

    /**
     * Writes the whole document; {@code process} names it in the viewer.
     *
     * @throws IOException when {@code out} does
     */
    public void write(String process, Writer out) throws IOException {
        out.write("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
        out.write("{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":" + quoted(process) + "}}");
        int thread = 0;
        try {
            for (TraceLane lane : trace.lanes()) {
                int id = ++thread;
                out.write(",\n{\"ph\":\"M\",\"pid\":1,\"tid\":" + id + ",\"name\":\"thread_name\",\"args\":{\"name\":"
                        + quoted(lane.name()) + "}}");
                lane.spans(span -> writeSpan(id, span, out));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        out.write("\n]}\n");
    }

    private void writeSpan(int thread, TraceLane.Span span, Writer out) {
        try {
            out.write(",\n{\"ph\":\"X\",\"pid\":1,\"tid\":" + thread + ",\"name\":"
                    + quoted(trace.nameOf(span.nameId()))
                    + ",\"ts\":" + micros(span.startNanos() - trace.originNanos()) + ",\"dur\":"
                    + micros(span.endNanos() - span.startNanos()) + ",\"args\":{\"id\":" + span.argument() + "}}");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String micros(long nanos) {
        long fraction = Math.abs(nanos % 1000);
        return (nanos < 0 ? "-" : "") + Math.abs(nanos / 1000) + "." + (char) ('0' + fraction / 100)
                + (char) ('0' + fraction / 10 % 10) + (char) ('0' + fraction % 10);
    }

    /** {@code text} as a JSON string. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
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
