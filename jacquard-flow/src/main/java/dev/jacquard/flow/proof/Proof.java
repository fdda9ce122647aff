package dev.jacquard.flow.proof;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answer to the question whether a graph may stand still for want of buffers, found before a run from the rates
 * that tasks and rules declare.
 *
 * <p>Threads: immutable.
 *
 * @param graph the graph's name
 * @param verdict the answer
 * @param memories one line per memory edge
 * @param standstill how the graph stands still; null unless it is refuted
 * @param missing the declarations that the answer lacks, or the reasons why there is none; empty unless it is unknown
 */
public record Proof(
        String graph,
        Verdict verdict,
        List<Memory> memories,
        @Nullable Standstill standstill,
        List<String> missing) {
    public Proof {
        memories = List.copyOf(memories);
        missing = List.copyOf(missing);
    }

    /** The answers. */
    public enum Verdict {
        /** No run stands still for want of buffers, with any number of workers and copies, and any number of items. */
        PROVED,
        /** Some run stands still. */
        REFUTED,
        /** A rate is missing, or the graph is outside of the analysis. */
        UNKNOWN
    }

    /**
     * A memory edge, or a bounded edge between tasks.
     *
     * @param name the edge's name
     * @param size the number of buffers, which are never exceeded
     * @param smallest the smallest number that is proved to be enough, where the others have theirs; 0 if it is unknown
     * @param bytes the bytes that the buffers hold at most; -1 where only the allocator knows
     * @param isBound whether the edge is a bounded one, and its buffers are the items that may wait
     */
    public record Memory(String name, int size, int smallest, long bytes, boolean isBound) {
        String named() {
            return (isBound ? "edge \"" : "memory edge \"") + name + '"';
        }

        @Override
        public String toString() {
            if (isBound) {
                return named() + ": at most " + size + " items wait"
                        + (smallest > 0 ? "; smallest bound that works: " + smallest : "");
            }
            return named() + ": at most " + size + " buffers"
                    + (bytes < 0 ? "" : ", " + bytes + " bytes")
                    + (smallest > 0 ? "; smallest size that works: " + smallest : "");
        }
    }

    /**
     * An order of events after which nothing moves.
     *
     * @param cycle what waits for what, by the names of tasks and memory edges
     * @param events the items at work, in order
     */
    public record Standstill(String cycle, List<Event> events) {
        public Standstill {
            events = List.copyOf(events);
        }
    }

    /**
     * One step of an order of events.
     *
     * @param part the task or bookkeeper at work; {@link #SENT} for an item that is sent into the graph
     * @param emits per output, the number of items that go out
     */
    public record Event(String part, List<Integer> emits) {
        /** The part of an event in which an item is sent into the graph. */
        public static final String SENT = "";

        public Event {
            emits = List.copyOf(emits);
        }

        @Override
        public String toString() {
            return part.equals(SENT)
                    ? "an item is sent"
                    : "\"" + part + "\" works on an item, and emits "
                            + emits.stream().map(String::valueOf).collect(Collectors.joining(" and "));
        }
    }

    /** Returns true if the graph is proved. */
    public boolean isProved() {
        return verdict == Verdict.PROVED;
    }

    /** Returns true if the graph is refuted. */
    public boolean isRefuted() {
        return verdict == Verdict.REFUTED;
    }

    /** Returns the bytes that all buffers hold at most; -1 where only an allocator knows. */
    public long bytes() {
        return memories.stream().anyMatch(memory -> memory.bytes < 0)
                ? -1
                : memories.stream().mapToLong(Memory::bytes).sum();
    }

    /** Returns a sentence that says why the graph may stand still; empty unless it is refuted. */
    public String refutation() {
        Standstill how = standstill;
        return how == null
                ? ""
                : "it can stand still for want of buffers: " + how.cycle() + ". "
                        + memories.stream()
                                .filter(memory -> memory.smallest > memory.size)
                                .map(memory -> "Make " + memory.named() + " at least " + memory.smallest + " (it has "
                                        + memory.size + ")")
                                .collect(Collectors.joining("; "));
    }

    /** Returns what the proof says about a run in which items wait for buffers, and nothing moves. */
    public List<String> atStandstill() {
        return switch (verdict) {
            case PROVED ->
                List.of("the graph is proved, so some body or rule does not keep to its rates, or does not release");
            case REFUTED -> List.of(refutation());
            case UNKNOWN ->
                missing.stream()
                        .map(line -> "a proof before the run needs " + line)
                        .toList();
        };
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("flow \"" + graph + "\": ");
        switch (verdict) {
            case PROVED -> text.append("never stands still for want of buffers");
            case REFUTED -> text.append(refutation());
            case UNKNOWN -> text.append("it is unknown whether it can stand still for want of buffers");
        }
        missing.forEach(line -> text.append("\n  ").append(line));
        memories.forEach(memory -> text.append("\n  ").append(memory));
        if (standstill != null) {
            text.append("\n  an order of events that stands still:");
            standstill.events.forEach(event -> text.append("\n    ").append(event));
        }
        return text.toString();
    }
}
