package dev.jacquard.apps.known;

import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A scheduler that the class path offers: the newest task first; all its schedules count what they hand out. */
public final class CountedNewest implements Scheduler {
    /** The tasks that were handed out, by all schedules there were. */
    public static final AtomicLong TASKS = new AtomicLong();

    /** Made by the service loader. */
    public CountedNewest() {}

    @Override
    public String name() {
        return "counted-newest";
    }

    @Override
    public Schedule schedule(GraphSnapshot graph) {
        Deque<ReadyTask> ready = new ArrayDeque<>();
        return new Dynamic() {
            @Override
            public void push(ReadyTask task) {
                ready.push(task);
            }

            @Override
            public @Nullable ReadyTask pop(int worker) {
                TASKS.incrementAndGet();
                return ready.poll();
            }
        };
    }
}
