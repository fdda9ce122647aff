package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A part that is all of its data, as the only block of a loop over blocks is, counts as the data. */
@Timeout(180)
class WholePartsTest {
    private static final int LENGTH = 4;

    private static void fill(Memory memory, double value) {
        for (int i = 0; i < LENGTH; i++) {
            memory.setDouble(i, value);
        }
    }

    private static TaskGraph failing(Session session, Data x) {
        TaskGraph graph = session.graph("failing", FailurePolicy.CONTINUE);
        graph.task("fails").writes(x).run(ctx -> {
            throw new IllegalStateException("no");
        });
        assertThrows(TaskFailedException.class, graph::await);
        return graph;
    }

    @Test
    void whatATaskFailedToWriteIsOverwrittenByIt() {
        double[] home = new double[LENGTH];
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", home);
            failing(session, x)
                    .task("again")
                    .writes(x.rows(0, LENGTH))
                    .run(ctx -> fill(ctx.memory(x.rows(0, LENGTH)), 7));
            session.data().fetch(x);
            assertArrayEquals(new double[] {7, 7, 7, 7}, home);
        }
    }

    @Test
    void byThatOfACompiledGraphToo() {
        double[] home = new double[LENGTH];
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", home);
            CompiledGraph step = session.record(graph -> graph.task("again")
                    .accesses(x, Access.write(Area.of(0, LENGTH - 1)))
                    .run(ctx -> fill(ctx.memory(x), 7)));
            failing(session, x);
            step.run();
            session.data().fetch(x);
            assertArrayEquals(new double[] {7, 7, 7, 7}, home);
        }
    }

    /** Which of the two each says plays no part. */
    @Test
    void itCoversWhatSubTasksDeclare() {
        double[] home = new double[LENGTH];
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", home);
            TaskGraph graph = session.graph();
            for (int way = 0; way < 4; way++) {
                boolean part = way % 2 == 0;
                boolean sub = way < 2;
                var parent = graph.task("parent");
                (part ? parent.updates(x.rows(0, LENGTH)) : parent.updates(x))
                        .run(ctx -> ctx.refine(tasks -> {
                            var child = tasks.task("child");
                            (sub ? child.updates(x.rows(0, LENGTH)) : child.updates(x))
                                    .run(inner -> inner.memory(x)
                                            .setDouble(0, 1 + inner.memory(x).getDouble(0)));
                        }));
            }
            session.data().fetch(x);
            assertEquals(4, home[0]);
        }
    }

    @Test
    void itMayBeDemotedToTheData() {
        double[] home = new double[LENGTH];
        try (Session session = Session.builder().workers(2).open()) {
            Data x = session.data().vector("x", home);
            TaskGraph graph = session.graph();
            graph.task("part").updates(x.rows(0, LENGTH)).run(ctx -> {
                fill(ctx.memory(x), 7);
                ctx.demote(x, Mode.READ);
                ctx.refine(tasks -> tasks.task("child").reads(x.rows(0, LENGTH)).run(inner -> {}));
            });
            graph.task("all").updates(x).run(ctx -> {
                ctx.demote(x, Access.read(Area.of(0, LENGTH - 1)));
                ctx.refine(tasks -> tasks.task("child").reads(x).run(inner -> {}));
            });
            graph.await();
            assertArrayEquals(new double[] {7, 7, 7, 7}, home);
        }
    }
}
