package dev.jacquard.flow.report;

import dev.jacquard.base.text.UserText;
import org.jspecify.annotations.Nullable;

/** A run failed: says where, and carries the cause and the counts of the items by their ends. */
public final class FlowFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String task;
    private final int copy;
    private final @Nullable String item;
    private final transient @Nullable FlowReport report;

    /**
     * A failure.
     *
     * @param graph the graph's name
     * @param task the task, or the memory edge with the allocator that threw
     * @param copy which copy of the task, -1 for a memory edge
     * @param phase its phase: "execute"
     * @param item the item's text, null outside of execute
     * @param cause the exception of user code
     * @param report the ends of the items; null when nothing had started
     */
    public FlowFailedException(
            String graph,
            String task,
            int copy,
            String phase,
            @Nullable String item,
            Throwable cause,
            @Nullable FlowReport report) {
        super(
                "flow \"" + graph + "\": \"" + task + "\"" + (copy < 0 ? "" : " copy " + copy) + " failed in " + phase
                        + (item == null ? "" : " of item " + item) + ": " + UserText.of(cause)
                        + (report == null ? "" : "\n" + report),
                cause);
        this.task = task;
        this.copy = copy;
        this.item = item;
        this.report = report;
    }

    /** The name of the task, or of the memory edge, that failed. */
    public String task() {
        return task;
    }

    /** The copy that failed, -1 for a memory edge at the start. */
    public int copy() {
        return copy;
    }

    /** The item that it worked on, as text; null when it was in another phase. */
    public @Nullable String item() {
        return item;
    }

    /** Returns how the items ended; null when nothing had started. */
    public @Nullable FlowReport report() {
        return report;
    }
}
