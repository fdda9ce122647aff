package dev.jacquard.flow.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stages that feed each other in a circle, and whether anything is left to do among them.
 *
 * <p>One token per active producer outside of the circle that sends into it, and one per item from before it is queued
 * in the circle until after what it led to is queued. So tokens only reach 0 when nothing can come any more.
 *
 * <p>Threads: the stages are constant after the start; the counter needs to be atomic since the copies of different
 * stages, which share no lock, count together.
 */
final class Cycle {
    private final List<Stage> stages = new ArrayList<>();
    private final AtomicLong tokens = new AtomicLong();

    /** Before the start only. */
    void add(Stage stage) {
        stages.add(stage);
    }

    void take(int count) {
        tokens.addAndGet(count);
    }

    /** Returns tokens; with the last one, all copies of the circle ask again whether they are done. */
    @Nullable
    TaskInstance give(int count, @Nullable TaskInstance woken) {
        TaskInstance list = woken;
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
