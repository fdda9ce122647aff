package dev.jacquard.components.run;

import dev.jacquard.base.concurrent.Fields;
import dev.jacquard.base.trace.TraceLane;
import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.Component.Instance;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A part of a running program: its instance, the cells that an execution needs and writes, and its times so far.
 *
 * <p>Threads: executions, one at a time, which the run orders; counts are read by others once the run is over, and may
 * be old before.
 */
final class OpenedPart {
    private static final VarHandle BEGUN = Fields.handle(MethodHandles.lookup(), "begun", long.class);

    private final int number;
    private final CheckedPart checked;
    private final PartContext context;
    private final Instance instance;
    /** The cells that must have a value before each execution. */
    private final Cell<?>[] needed;
    /** The cells of the part's sources. */
    private final Cell<?>[] own;

    private final boolean waits;
    private final long limitNanos;
    /** Takes a span for each execution; null if there is no trace. */
    private final @Nullable TraceLane lane;

    private boolean answer;
    private long executions;
    private long nanos;
    /** The number of the execution that runs, from 1; kept for a trace only. */
    private long runs;
    /** When the execution that runs began; 0 while none runs. Opaque: others look at it for messages. */
    @SuppressWarnings("unused") // through BEGUN
    private long begun;

    /**
     * Opens a part.
     *
     * @param waits true if executions may wait, so that they need a thread of their own
     * @param limitNanos the time that an execution may take; 0 for any
     * @param needed the cells that must have a value before each execution
     * @param own the cells of the part's sources
     * @param lane takes a span for each execution; null if there is no trace
     */
    OpenedPart(
            int number,
            PartContext context,
            Instance instance,
            boolean waits,
            long limitNanos,
            Cell<?>[] needed,
            Cell<?>[] own,
            @Nullable TraceLane lane) {
        this.number = number;
        this.context = context;
        this.checked = context.checked();
        this.instance = instance;
        this.waits = waits;
        this.limitNanos = limitNanos;
        this.lane = lane;
        this.needed = needed;
        this.own = own;
    }

    int number() {
        return number;
    }

    String name() {
        return checked.part().name();
    }

    /** Returns true if executions may wait, so that they need a thread of their own. */
    boolean waits() {
        return waits;
    }

    /** Returns the time that an execution may take; 0 for any. */
    long limitNanos() {
        return limitNanos;
    }

    /** Executes it once; {@link #answer} is its answer. */
    void execute() throws Exception {
        for (Cell<?> cell : needed) {
            if (cell.isEmpty()) {
                throw new IllegalStateException("source '" + cell.source() + "', which it needs, was not set");
            }
        }
        for (Cell<?> cell : own) {
            cell.clear();
        }
        answer = instance.execute();
        executions++;
    }

    /** An execution begins now. */
    void begins(long now) {
        BEGUN.setOpaque(this, now == 0 ? 1 : now);
        if (lane != null) {
            runs = executions + 1;
        }
    }

    /** The execution is over now. */
    void ends(long now) {
        long from = begun;
        nanos += now - from;
        BEGUN.setOpaque(this, 0L);
        context.ends();
        if (lane != null) {
            lane.record(context.name(), from, now, runs);
        }
    }

    /** Returns when the execution that runs began; 0 if none runs. Any thread. */
    long begun() {
        return (long) BEGUN.getOpaque(this);
    }

    /** Returns true if the last execution said that its loop is to be left. */
    boolean answer() {
        return answer;
    }

    /** Goes on after that number of executions. */
    void executed(long count) {
        executions = count;
    }

    /** Takes the counts of another rank, which has executed it. */
    void executed(long count, long took) {
        executions = count;
        nanos = took;
    }

    long executions() {
        return executions;
    }

    long nanos() {
        return nanos;
    }

    void close() throws Exception {
        instance.close();
    }

    Component component() {
        return checked.component();
    }

    /** Returns the name in the program, the component's name, and the class. */
    String described() {
        return checked.described();
    }
}
