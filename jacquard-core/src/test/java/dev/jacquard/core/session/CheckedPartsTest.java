package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.View;
import dev.jacquard.memory.residency.Parts;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In checking mode, tasks that write some parts of data and only read others: of the engine's, and of an array. */
@Timeout(180)
class CheckedPartsTest {
    private static final int SIDE = 6;

    private final Session session = Session.builder().workers(2).checking().open();
    private final TaskGraph graph = session.graph();

    @AfterEach
    void close() {
        session.close();
    }

    /** A matrix of ones. */
    private Data matrix(boolean home) {
        Data d = home
                ? session.data().matrix("d", new double[SIDE * SIDE], SIDE, SIDE)
                : session.data().matrix("d", DataType.FLOAT64, SIDE, SIDE);
        fill(d);
        return d;
    }

    private void fill(Data d) {
        graph.task("fill").writes(d).run(ctx -> {
            for (int i = 0; i < SIDE * SIDE; i++) {
                ctx.memory(d).setDouble(i / SIDE, i % SIDE, 1);
            }
        });
        graph.await();
    }

    /** The task's body writes the element of {@code d} at that place by way of {@code part}, which declares it. */
    private Task<?> writes(TaskBuilder task, View part, long row, long column) {
        return task.run(ctx -> ctx.memory(part)
                .setDouble(row - part.box().from(0), column - part.box().from(1), 7));
    }

    private void found(Data d, String what, Task<?> task) {
        found(d, what, ", which it declared as READ", task);
    }

    private void found(Data d, String what, String why, Task<?> task) {
        assertMentions(assertThrows(TaskFailedException.class, task::join), "task \"t\" changed \"" + what + '"' + why);
        graph.await();
        fill(d);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void blocksRowsAndColumnsBesideOthersThatAreWritten(boolean home) {
        Data d = matrix(home);
        View written = d.block(0, 0, 2, 2);
        View block = d.block(2, 0, 2, 2);
        View rows = d.rows(2, 4);
        View column = d.block(0, 4, SIDE, 1);
        found(d, "d" + block.box(), writes(graph.task("t").reads(block).updates(written), block, 3, 1));
        found(d, "d" + rows.box(), writes(graph.task("t").updates(written).reads(rows), rows, 2, 5));
        found(d, "d" + column.box(), writes(graph.task("t").reads(column).writes(written), column, 5, 4));
        found(
                d,
                "d" + column.box(),
                writes(graph.task("t").reads(block).reads(column).adds(written), column, 0, 4));
        writes(graph.task("t").reads(block).reads(rows).reads(column).updates(written), written, 1, 1)
                .join();
    }

    /** A task may write by one access a part that it declares as read by another. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsLeftOfAHaloAroundTheWritten(boolean home) {
        Data d = matrix(home);
        View inner = d.block(2, 2, 2, 2);
        View halo = inner.halo(1);
        Function<String, TaskBuilder> stencil =
                name -> graph.task(name).reads(halo).updates(inner);
        for (int row = 1; row < 5; row++) {
            for (int column = 1; column < 5; column++) {
                if (row == 2 || row == 3) {
                    if (column == 2 || column == 3) {
                        writes(stencil.apply("t"), halo, row, column).join();
                        continue;
                    }
                }
                Task<?> task = writes(stencil.apply("t"), halo, row, column);
                assertMentions(
                        assertThrows(TaskFailedException.class, task::join),
                        "task \"t\" changed \"d[",
                        "which it declared as READ");
                graph.await();
                fill(d);
            }
        }
        writes(graph.task("all of it").reads(halo).updates(d), halo, 1, 1).join();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasWrittenBeforeItsAccessWasDemoted(boolean home) {
        Data d = matrix(home);
        View halo = d.block(1, 1, 3, 3);
        View inner = d.block(2, 2, 2, 2);
        for (Access left : new Access[] {Access.none(), Access.read(Parts.area(inner.box()))}) {
            graph.task("right").reads(halo).updates(inner).run(ctx -> {
                ctx.memory(inner).setDouble(0, 0, 7);
                ctx.demote(d, left);
            });
            graph.await();
            String why = " after the task gave up writing it";
            found(d, "d", why, graph.task("t").reads(halo).updates(inner).run(ctx -> {
                ctx.memory(inner).setDouble(0, 0, 7);
                ctx.demote(d, left);
                ctx.memory(halo).setDouble(2, 2, 8);
            }));
        }
        graph.task("smaller").reads(d.rows(0, 2)).updates(d.rows(2, 4)).run(ctx -> {
            ctx.demote(d, Access.update(Area.of(3, 3, 0, SIDE - 1)));
            ctx.memory(d.rows(3, 4)).setDouble(0, 0, 3);
        });
        graph.await();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void subTasksWriteInThePlaceOfTheTask(boolean home) {
        Data d = matrix(home);
        View read = d.rows(0, 2);
        View written = d.rows(2, 4);
        graph.task("whole")
                .reads(read)
                .updates(written)
                .run(ctx -> ctx.refine(inside -> inside.task("part")
                        .reads(d.rows(0, 1))
                        .updates(d.rows(3, 4))
                        .run(sub -> sub.memory(d.rows(3, 4)).setDouble(0, 0, 5))));
        graph.await();
        graph.task("whole")
                .reads(read)
                .updates(written)
                .run(ctx ->
                        ctx.refine(inside -> writes(inside.task("t").reads(read).updates(d.rows(3, 4)), read, 1, 1)));
        assertMentions(
                assertThrows(TaskFailedException.class, graph::await),
                "task \"t\" changed \"d" + read.box() + "\", which it declared as READ");
        fill(d);
    }

    /** Others write beside the part that is read, and add to what this task adds to. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatOthersWriteMeanwhileIsNotTheTasks(boolean home) {
        Data d = matrix(home);
        View read = d.rows(0, 1);
        View sums = d.rows(1, 3);
        View beside = d.rows(3, 5);
        for (int i = 0; i < 300; i++) {
            graph.task("adds")
                    .reads(read)
                    .adds(sums)
                    .run(ctx ->
                            ctx.memory(sums).addDouble(1, 2, ctx.memory(read).getDouble(0, 0)));
            graph.task("beside")
                    .reads(read)
                    .updates(beside)
                    .run(ctx -> ctx.memory(beside)
                            .setDouble(1, 1, ctx.memory(beside).getDouble(1, 1) + 1));
        }
        graph.await();
        assertEquals(
                301,
                graph.task("look")
                        .reads(d)
                        .call(ctx -> ctx.memory(d).getDouble(2, 2))
                        .join());
    }

    /** An access that checking mode does not know may be to any element. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAccessOfTheUsersThatWritesMayWriteAnything(boolean home) {
        Data d = matrix(home);
        writes(graph.task("t").reads(d.rows(0, 2)).accesses(d, new All()), new View(d, d.box()), 0, 0)
                .join();
    }

    private record All() implements Access {
        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public boolean conflictsWith(Access earlier) {
            return true;
        }

        @Override
        public boolean covers(Access other) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tasksOfCompiledGraphs(boolean home) {
        Data d = matrix(home);
        View read = d.block(2, 0, 2, 2);
        View written = d.block(1, 1, 2, 2);
        session.record(rec -> writes(rec.task("t").reads(read).updates(written), read, 2, 1))
                .run();
        CompiledGraph bad =
                session.record(rec -> writes(rec.task("t").reads(read).updates(written), read, 3, 1));
        assertMentions(assertThrows(TaskFailedException.class, bad::run), "task \"t\" changed \"d[");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void indicesBeyondThePart(boolean home) {
        Data d = matrix(home);
        View block = d.block(2, 0, 2, 2);
        String part = "the 2 x 2 elements of d[2 until 4, 0 until 2]";
        graph.task("t").updates(block).run(ctx -> {
            assertBeyond(
                    "index [0, 3] is beyond " + part, () -> ctx.memory(block).setDouble(0, 3, 5));
            assertBeyond(
                    "index [1, 2] is beyond " + part, () -> ctx.memory(block).getDouble(1, 2));
            assertBeyond(
                    "index [2, 0] is beyond " + part, () -> ctx.memory(block).addDouble(2, 0, 1));
            assertBeyond(
                    "index [0, -1] is beyond " + part, () -> ctx.memory(block).getDouble(0, -1));
            assertBeyond("index [2] is beyond " + part, () -> ctx.memory(block).getDouble(2));
            ctx.memory(block).setDouble(SIDE, 4);
            assertEquals(4, ctx.memory(block).getDouble(1, 0));
            assertMentions(
                    assertThrows(
                            IllegalStateException.class, () -> ctx.memory(block).getFloat(0, 9)),
                    "elements of type float",
                    "call getDouble");
        });
        graph.await();
        session.record(rec -> rec.task("t")
                        .updates(block)
                        .run(ctx -> assertBeyond(
                                "index [0, 3] is beyond " + part,
                                () -> ctx.memory(block).setDouble(0, 3, 5))))
                .run();
    }

    private static void assertBeyond(String told, Runnable access) {
        assertMentions(assertThrows(IndexOutOfBoundsException.class, access::run), told);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messagesNameTheFirstAccessesOfMany(boolean compiled) {
        Data d = matrix(false);
        int count = 20;
        Data[] many = new Data[count];
        for (int i = 0; i < count; i++) {
            many[i] = session.data().vector("many" + i, new double[1]);
        }
        CompiledGraph inner = session.record("inner", rec -> {
            for (Data each : many) {
                rec.task("works").updates(each).run(ctx -> {
                    if (each == many[3]) {
                        throw new IllegalStateException("no");
                    }
                });
            }
        });
        Task<?> task;
        if (compiled) {
            task = inner.submit(graph, "run");
        } else {
            TaskBuilder builder = graph.task("run").reads(d);
            for (Data each : many) {
                builder.updates(each);
            }
            task = builder.run(ctx -> {
                throw new IllegalStateException("no");
            });
        }
        TaskFailedException failure = assertThrows(TaskFailedException.class, task::join);
        assertMentions(failure, compiled ? "many7 and 12 more)" : "many6 and 13 more)", "no");
        assertFalse(failure.toString().contains("many8"), failure.toString());
        graph.await();
    }
}
