package dev.jacquard.apps.pde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.Report;
import dev.jacquard.core.compiled.Scheduler;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Equations whose steps run by a scheduler of the class path. */
class PdeSchedulerTest {
    /** A scheduler that the class path offers: the newest task first; all its schedules count what they hand out. */
    public static final class CountedNewest implements Scheduler {
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

    @TempDir
    Path folder;

    @Test
    void aSchedulerOfTheUsersIsFoundByItsName() throws Exception {
        long before = CountedNewest.TASKS.get();
        PdeRuns runs = new PdeRuns(folder);
        Report report =
                runs.run(runs.file(TwoUnknowns.PROGRAM), "out", "workers=1", "fuse=false", "scheduler=counted-newest");
        assertEquals("counted-newest", report.values().get("scheduler"));
        assertTrue(CountedNewest.TASKS.get() - before >= 15, "one task a step at least");
    }
}
