package dev.jacquard.core.compiled;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.jacquard.core.graph.BindingBody;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.session.Session;
import dev.jacquard.engine.work.RangeBody;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.data.View;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run allocates nothing, whatever the graph has in it, and a recording little. */
class AllocationTest {
    private static final int RUNS = 1_000;
    private static final int ATTEMPTS = 100;
    private static final int TASKS = 400;
    private static final int FIELDS = 40;
    private static final RangeBody NOTHING = (from, to) -> {};
    /** What the measurement itself may leave: less than a byte per run. */
    private static final long SLACK = 512;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void runsAllocateNothing(int workers) {
        Set<Thread> others = Thread.getAllStackTraces().keySet(); // workers of sessions that are about to end, too
        try (Session session = Session.builder().workers(workers).noChecking().open()) {
            requireNone(compile(session), workersBesides(others));
        }
    }

    /** Bodies that bind, and bodies that look their data up again and again. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void runsOnHostDataAllocateNothing(int workers) {
        Set<Thread> others = Thread.getAllStackTraces().keySet();
        try (Session session = Session.builder().workers(workers).noChecking().open()) {
            List<Data> all = new ArrayList<>();
            for (int i = 0; i < FIELDS; i++) {
                all.add(session.data().vector("x" + i, new double[64]));
            }
            CompiledGraph graph = session.record("step", recorder -> {
                for (int i = 1; i < FIELDS; i++) {
                    Data from = all.get(i - 1);
                    Data to = all.get(i);
                    View part = to.rows(0, 10);
                    BindingBody binding = context -> {
                        MemorySegment x = context.memory(from).segment();
                        MemorySegment y = context.memory(to).segment();
                        return run -> MemorySegment.copy(x, 0, y, 0, 8);
                    };
                    TaskBody looking = context -> context.memory(part)
                            .setDouble(0, context.memory(from).getDouble(0) + 1);
                    recorder.task("t" + i).reads(from).updates(to).run(i % 2 == 0 ? binding : looking);
                }
            });
            requireNone(graph, workersBesides(others));
        }
    }

    /**
     * Recording takes little memory, so that few collections come while the tasks of a large graph are made: these lie
     * apart then.
     */
    @Test
    void recordingAllocatesLittle() {
        int tasks = 10_000;
        long[] caller = {Thread.currentThread().threadId()};
        try (Session session = Session.builder().workers(1).noChecking().open()) {
            List<Resource> all = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                all.add(session.resource("x" + i));
            }
            long before = allocated(caller);
            session.record("large", recorder -> {
                for (int i = 0; i < tasks; i++) {
                    TaskBuilder task = recorder.task("t");
                    for (int j = 1; j <= 3; j++) {
                        task.reads(all.get((i + j) % 100));
                    }
                    task.updates(all.get(i % 100)).run(context -> {});
                }
            });
            long bytes = (allocated(caller) - before) / tasks;
            assertTrue(bytes < 2_500, () -> bytes + " bytes per task");
        }
    }

    private void requireNone(CompiledGraph graph, long[] ids) {
        int attempts = 0;
        long allocated;
        do { // the first attempts warm up; on a machine that does other things the compilers are late
            long before = allocated(ids);
            for (int run = 0; run < RUNS; run++) {
                graph.run();
            }
            allocated = allocated(ids) - before;
        } while (allocated > SLACK && ++attempts < ATTEMPTS);
        long bytes = allocated;
        assertTrue(bytes <= SLACK, () -> RUNS + " runs of " + graph + " allocated " + bytes + " bytes");
    }

    /** Wide and narrow parts, another pass, a branch, an inner graph, and a loop that is one part. */
    private CompiledGraph compile(Session session) {
        CompiledGraphBuilder small = session.compile("inner").whenBusy(CompiledGraph.OverlapRule.QUEUE);
        small.edge(small.task("x", context -> {}), small.task("y", context -> {}), true);
        CompiledGraph inner = small.build();
        int[] passes = {0};
        CompiledGraphBuilder builder = session.compile("outer");
        int start = builder.task("start", context -> passes[0]++);
        int chooser = builder.choose("which", 2, context -> passes[0] & 1);
        int one = builder.graph("one", inner);
        int two = builder.graph("two", inner);
        builder.edge(start, chooser, true);
        builder.guard(chooser, 0, one);
        builder.guard(chooser, 1, two);
        for (int i = 0; i < TASKS; i++) {
            int task = builder.task("t", context -> {});
            builder.edge(i < TASKS / 2 ? start : task - TASKS / 2, task, true);
        }
        builder.edge(start, builder.task("loop of one part", context -> context.parallelFor(0, 8, 8, NOTHING)), true);
        builder.repeatWhile("again", context -> passes[0] % 3 != 0);
        return builder.build();
    }

    private static long[] workersBesides(Set<Thread> others) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread == Thread.currentThread()
                        || (thread.getName().startsWith("jacquard-worker-") && !others.contains(thread)))
                .mapToLong(Thread::threadId)
                .toArray();
    }

    private long allocated(long[] ids) {
        long sum = 0;
        for (long id : ids) {
            sum += threads.getThreadAllocatedBytes(id);
        }
        return sum;
    }
}
