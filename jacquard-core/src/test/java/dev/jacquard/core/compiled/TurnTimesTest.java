package dev.jacquard.core.compiled;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.insight.analysis.GraphSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A graph with a schedule of its own under a policy that asks for times. */
class TurnTimesTest {
    /** What the policy was told that tasks are expected to take, in nanoseconds. */
    private final List<Long> expected = new ArrayList<>();

    /** First in, first out; notes what tasks are expected to take. */
    private final class Timed implements Policy {
        @Override
        public String name() {
            return "timed";
        }

        @Override
        public Set<Need> needs() {
            return Set.of(Need.TIMES);
        }

        @Override
        public ReadyOrder order() {
            Deque<ReadyTask> ready = new ArrayDeque<>();
            return new ReadyOrder() {
                @Override
                public void push(ReadyTask task) {
                    if (task.name().startsWith("task ")) {
                        expected.add(task.expectedNanos());
                    }
                    ready.add(task);
                }

                @Override
                public @Nullable ReadyTask pop(int worker) {
                    return ready.poll();
                }
            };
        }
    }

    /** First in, first out. */
    private static final class InTurn implements Scheduler {
        @Override
        public String name() {
            return "in turn";
        }

        @Override
        public Schedule schedule(GraphSnapshot graph) {
            Deque<ReadyTask> ready = new ArrayDeque<>();
            return new Dynamic() {
                @Override
                public void push(ReadyTask task) {
                    ready.add(task);
                }

                @Override
                public @Nullable ReadyTask pop(int worker) {
                    return ready.poll();
                }
            };
        }
    }

    @Test
    void thePolicyKnowsHowLongTheTasksOfAScheduleTake() {
        try (Session session = Session.builder().workers(1).policy(new Timed()).open()) {
            CompiledGraphBuilder builder = session.compile("graph");
            for (int i = 0; i < 3; i++) {
                builder.task("task " + i, context -> {});
            }
            CompiledGraph graph = builder.scheduler(new InTurn()).build();
            graph.run();
            expected.clear();
            graph.run();
            assertFalse(expected.isEmpty());
            assertTrue(expected.stream().allMatch(nanos -> nanos > 0), expected::toString);
        }
    }
}
