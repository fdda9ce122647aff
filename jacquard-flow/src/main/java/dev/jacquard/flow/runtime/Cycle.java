package dev.jacquard.flow.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stages that feed each other in a circle, and a count of the work that is left among them.
 *
 * <p>There is one token per active producer outside of the circle that sends into it, and one per item, from before the
 * item is queued in the circle until after the items that it led to are queued. So the number of tokens reaches 0 only
 * when no item can come any more.
 *
 * <p>Threads: the stages are constant after the start; the counter is atomic, since copies of different stages share no
 * lock.
 */
final class Cycle {
    private final List<Stage> stages = new ArrayList<>();
    private final AtomicLong tokens = new AtomicLong();

    /** Adds a stage. Called before the start only. */
    void add(Stage stage) {
        stages.add(stage);
    }

    void take(int count) {
        tokens.addAndGet(count);
    }

    /**
     * Gives back {@code count} tokens. After the last token, all copies of the circle are woken to ask again whether
     * they are done.
     */
    @Nullable
    Wakeable give(int count, @Nullable Wakeable woken) {
        Wakeable list = woken;
        if (tokens.addAndGet(-count) == 0) {
            for (Stage stage : stages) {
                list = stage.changed(list);
            }
        }
        return list;
    }

    boolean drained() {
        return tokens.get() == 0;
    }
}
