package dev.jacquard.core.testing;

import dev.jacquard.core.graph.Result;
import dev.jacquard.core.graph.TaskState;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of a line's task: stamps from one clock, 0 when it never happened. Each is written by one thread; read when
 * the graph is over.
 */
final class Seen {
    final Line line;
    /** Around the submission. */
    volatile long submitBegin;

    volatile long submitEnd;
    /** What became of it; null when it was never submitted. */
    volatile @Nullable Result<?> result;
    /** How many of its demotions from outside took effect before its body began. Changed under the monitor. */
    volatile int early;
    /** True if its submitter refines it right now, so that it may be pending without a reason. */
    volatile boolean held;

    final AtomicInteger runs = new AtomicInteger();
    volatile long begin;
    /** Before each of the body's demotions. */
    final long[] gaveUp;

    volatile long bodyEnd;
    /** Right before the stage of an asynchronous task completes. */
    volatile long lateEnd;

    final AtomicInteger rests = new AtomicInteger();
    volatile long restBegin;
    volatile long restEnd;
    volatile @Nullable Thread thread;
    volatile @Nullable CompletableFuture<?> stage;

    Seen(Line line) {
        this.line = line;
        this.gaveUp = new long[line.demotions().size()];
    }

    boolean submitted() {
        return result != null;
    }

    boolean ran() {
        return begin != 0;
    }

    TaskState state() {
        Result<?> its = result;
        if (its == null) {
            throw new IllegalStateException("t" + line.id() + " was never submitted");
        }
        return its.state();
    }

    /** What its end says, when it is over and did not end well. */
    String complaint() {
        Result<?> its = result;
        try {
            return its == null ? "" : String.valueOf(its.join());
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** What happened when, for people. */
    @Override
    public String toString() {
        String stamps = submitBegin == 0
                ? "was never submitted"
                : "submitted " + submitBegin + " to " + submitEnd + (early > 0 ? ", demoted before it began" : "")
                        + (ran() ? ", ran " + begin + " to " + bodyEnd : "") + (submitted() ? ", " + state() : "");
        return "t" + line.id() + ": " + stamps + (gaveUp.length > 0 ? ", gave up at " + Arrays.toString(gaveUp) : "");
    }

    /** How many demotions of the body have happened. */
    int demotions() {
        int count = 0;
        while (count < gaveUp.length && gaveUp[count] != 0) {
            count++;
        }
        return count;
    }
}
