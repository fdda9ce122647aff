package dev.jacquard.expressions.tree;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A step of many small expressions, which is a run of one compiled graph, allocates nothing. */
class StepAllocationTest {
    private static final int STEPS = 300;
    private static final int EXPRESSIONS = 100;
    /** The bytes that the measurement itself may leave: less than 2 per step. */
    private static final long SLACK = 512;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void stepsAllocateNothing(int workers) {
        requireNothing(workers, Grid.of(64), EXPRESSIONS);
    }

    @Test
    void loopsOfSeveralPartsAllocateNothing() {
        requireNothing(1, Grid.of(64, 64, 16), 2);
    }

    /** Loops of users' allocate what they do themselves, and nothing else. */
    @ParameterizedTest
    @ValueSource(ints = {64, 20_000})
    void loopsOfUsersAllocateNothing(int cells) {
        Tag<Cell> k = Tag.cell("k");
        Tag<Cell> twice = Tag.cell("twice");
        Grid grid = Grid.of(10, cells / 10);
        Model model = Model.of(grid)
                .source(k)
                .define(
                        bindings -> {
                            Expression.Values from = bindings.reads(k);
                            Expression.Results to = bindings.computes(twice);
                            Expression.Part part = points -> {
                                for (int y = points.y0(); y < points.y1(); y++) {
                                    to.set(0, y, 0, 2 * from.get(0, y, 0));
                                }
                            };
                            return run -> run.parallel(to.interior(), part);
                        },
                        dependents -> dependents.reads(k).computes(twice));
        requireNothing(1, grid, (session, fields) -> {
            fields.set(k, (x, y, z) -> x);
            return model.tree(twice).compile(fields);
        });
    }

    private void requireNothing(int workers, Grid grid, int expressions) {
        requireNothing(workers, grid, (session, fields) -> step(session, fields, expressions));
    }

    private void requireNothing(int workers, Grid grid, BiFunction<Session, FieldStore, CompiledGraph> steps) {
        Set<Thread> others = Thread.getAllStackTraces().keySet();
        try (Session session = Session.builder().workers(workers).noChecking().open();
                FieldStore fields = FieldStore.open(session, grid)) {
            CompiledGraph step = steps.apply(session, fields);
            long[] ids = workersBesides(others);
            int attempts = 0;
            long allocated;
            do { // the first attempts warm up
                long before = allocated(ids);
                for (int i = 0; i < STEPS; i++) {
                    step.run();
                }
                allocated = allocated(ids) - before;
            } while (allocated > SLACK && ++attempts < 100);
            long bytes = allocated;
            assertTrue(bytes <= SLACK, () -> STEPS + " runs of " + step + " allocated " + bytes + " bytes");
        }
    }

    private static CompiledGraph step(Session session, FieldStore fields, int expressions) {
        Tag<Cell> k = Tag.cell("k");
        fields.set(k, (x, y, z) -> x);
        return session.record("step", graph -> {
            Tag<Cell> before = k;
            for (int i = 0; i < expressions; i++) {
                Tag<Cell> next = Tag.cell("t" + i);
                Expr<Cell> its = i % 2 == 0 ? before.times(0.5).plus(k) : before.minus(k);
                Assignment.of(fields, next, its, Loops.Form.PLAIN).submit(graph); // lanes need C2 to allocate nothing
                before = next;
            }
        });
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
