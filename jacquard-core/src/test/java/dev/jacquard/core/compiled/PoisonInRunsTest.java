package dev.jacquard.core.compiled;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessTable;
import dev.jacquard.memory.access.AccessTable.Kind;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Memory;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks behind failed ones that others overwrite: in compiled graphs, among live tasks, and in branches. */
@Timeout(180)
class PoisonInRunsTest {
    private static final AccessTable CELLS = AccessTable.of(
            List.of(new Kind("set", false, true), new Kind("get", true, false), new Kind("none", false, false)),
            new boolean[][] {{true, true, false}, {true, false, false}, {false, false, false}});

    private final Session session =
            Session.builder().workers(2).devices("emulated0").open();
    private final Handle<int[]> x = session.wrap("x", new int[10]);
    private final Handle<int[]> y = session.wrap("y", new int[10]);
    private final AtomicInteger ran = new AtomicInteger();

    @AfterEach
    void close() {
        session.close();
    }

    private static final TaskBody FAILS = context -> {
        throw new IllegalStateException("planned");
    };

    private void runs(TaskBuilder task) {
        task.run(context -> ran.incrementAndGet());
    }

    private void writesFirst(Tasks tasks) {
        tasks.task("fails").writes(x).run(FAILS);
        runs(tasks.task("both").writes(x).reads(x));
    }

    /** A task reads before it writes, in whatever order it declares the two. */
    @Test
    void aTaskThatDeclaresFirstWhatItOverwritesStillReads() {
        writesFirst(session.graph());
        assertThrows(TaskFailedException.class, session.graph()::await);
        CompiledGraph graph = session.record("graph", this::writesFirst);
        assertThrows(TaskFailedException.class, graph::run);
        assertEquals(0, ran.get());
    }

    /** Of a graph the first task writes what the second reads. */
    @Test
    void aGraphThatWritesWhatItReadsRunsBehindAFailure() {
        CompiledGraph inner = session.record("inner", rec -> {
            runs(rec.task("first").writes(x));
            runs(rec.task("second").reads(x));
        });
        CompiledGraph outer = session.record("outer", rec -> rec.graph("in", inner));
        for (int round = 0; round < 2; round++) {
            session.graph().task("fails").writes(x).run(FAILS);
            (round == 0 ? inner : outer).run();
            assertThrows(TaskFailedException.class, session.graph()::await);
        }
        session.graph().task("fails").writes(x).run(FAILS);
        inner.submit(session.graph(), "as a task");
        assertThrows(TaskFailedException.class, session.graph()::await);
        assertEquals(6, ran.get());
    }

    @Test
    void aTaskOnTheHostThatDeclaresFirstWhatItOverwritesSeesWhatADeviceWrote() {
        double[] home = {7, 7};
        Data data = session.data().vector("d", home);
        Kernel increment = Kernel.named("increment").onHost(arguments -> {
            Memory memory = arguments.memory(0);
            memory.setDouble(0, memory.getDouble(0) + 1);
        });
        session.graph()
                .task("device")
                .updates(data)
                .on(ExecutionTarget.EMULATED)
                .run(increment);
        session.record(
                        "graph",
                        rec -> rec.task("times ten").writes(data).reads(data).run(context -> {
                            Memory memory = context.memory(data);
                            memory.setDouble(0, memory.getDouble(0) * 10);
                        }))
                .run();
        session.data().fetch(data);
        assertEquals(80, home[0]);
    }

    /** A skipped task overwrites nothing, whatever its kind of access is called. */
    @ParameterizedTest
    @ValueSource(strings = {"mode", "area", "table", "table and area"})
    void aSkippedTaskHidesNoFailure(String how) {
        Access set = switch (how) {
            case "mode" -> Access.write();
            case "area" -> Access.write(Area.of(0, 3));
            case "table" -> CELLS.entry("set");
            default -> new AreaAccess(CELLS.entry("set"), Area.of(0, 3));
        };
        Access get = switch (how) {
            case "mode" -> Access.read();
            case "area" -> Access.read(Area.of(0, 3));
            case "table" -> CELLS.entry("get");
            default -> new AreaAccess(CELLS.entry("get"), Area.of(0, 3));
        };
        CompiledGraph graph = session.record("graph", rec -> {
            rec.choose("which", task -> task.reads(y), 2, context -> 0)
                    .in(1, then -> runs(then.task("inside").accesses(x, set)));
            runs(rec.task("behind").accesses(x, get));
        });
        CompiledGraph within = session.record("within", rec -> {
            rec.task("fails").accesses(x, set).run(FAILS);
            rec.choose("which", task -> task.reads(y), 2, context -> 0)
                    .in(1, then -> runs(then.task("inside").accesses(x, set)));
            runs(rec.task("behind").accesses(x, get));
        });
        CompiledGraph outer = session.record("outer", rec -> {
            rec.task("fails").accesses(x, set).run(FAILS);
            rec.graph("in", graph);
        });
        session.graph().task("fails").accesses(x, set).run(FAILS);
        assertThrows(TaskFailedException.class, graph::run);
        assertThrows(TaskFailedException.class, within::run);
        assertThrows(TaskFailedException.class, outer::run);
        assertEquals(0, ran.get());
        graph.run();
        assertEquals(1, ran.get());
    }

    /** A task in a branch is kept only by values that it reads, and that no task has overwritten since. */
    @Test
    void aTaskInABranchRunsIfItSeesNothingOfAFailure() {
        CompiledGraph elsewhere = session.record("elsewhere", rec -> {
            rec.task("fails").accesses(x, Access.update(Area.of(0, 3))).reads(y).run(FAILS);
            rec.choose("which", task -> task.reads(session.wrap("z", 0)), 1, context -> 0)
                    .in(
                            0,
                            then -> runs(then.task("inside")
                                    .accesses(x, Access.update(Area.of(4, 7)))
                                    .writes(y)));
        });
        assertThrows(TaskFailedException.class, elsewhere::run);
        assertEquals(1, ran.get());
        CompiledGraph overwritten = session.record("overwritten", rec -> {
            rec.task("fails").updates(x).reads(y).run(FAILS);
            rec.task("anew").writes(x).run(context -> {});
            rec.choose("which", task -> task.reads(session.wrap("z", 0)), 1, context -> 0)
                    .in(0, then -> runs(then.task("inside").writes(x).writes(y)));
        });
        assertThrows(TaskFailedException.class, overwritten::run);
        assertEquals(2, ran.get());
    }
}
