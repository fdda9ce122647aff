package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.compiled.CompiledGraphBuilder;
import dev.jacquard.core.compiled.Recorder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies of compiled graphs in checking mode: what is told of live ones is told of them. */
@Timeout(180)
class CheckedRunsTest {
    private static final String READ = "\", which it declared as READ: declare it with updates or writes";

    private static Session checked() {
        return Session.builder()
                .workers(2)
                .checking()
                .device(EmulatedDevice.offer("emulated0"))
                .open();
    }

    /** Each mistake by the recorder and by the builder, in a second run, too. */
    private static void assertTold(
            Session session, Consumer<CompiledGraphBuilder> built, Consumer<Recorder> recorded, String told) {
        CompiledGraphBuilder builder = session.compile("built");
        built.accept(builder);
        for (CompiledGraph graph : List.of(builder.build(), session.record(recorded))) {
            for (int run = 0; run < 2; run++) {
                assertMentions(assertThrows(TaskFailedException.class, graph::run), told);
            }
        }
    }

    @Test
    void aHandleThatWasNotDeclared() {
        try (Session session = checked()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            assertTold(
                    session,
                    builder -> builder.task("t", ctx -> x.value()[0]++),
                    rec -> rec.task("t").run(ctx -> x.value()[0]++),
                    "task \"t\" touches \"x\" without a declared access");
        }
    }

    @Test
    void aHandleThatIsOnlyRead() {
        try (Session session = checked()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            assertTold(
                    session,
                    builder -> builder.task("t", ctx -> ctx.get(x)[0]++, its -> its.reads(x)),
                    rec -> rec.task("t").reads(x).run(ctx -> ctx.get(x)[0]++),
                    "task \"t\" changed \"x" + READ);
        }
    }

    /** On the host alone, where a run claims all at once, and beside a device, where each task does. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void dataThatIsOnlyRead(boolean device) {
        try (Session session = checked()) {
            Data x = session.data().vector("x", new double[8]);
            Data y = session.data().vector("y", new double[8]);
            CompiledGraph graph = session.record(rec -> {
                rec.task("t")
                        .reads(x.rows(2, 4))
                        .run(ctx -> ctx.memory(x.rows(2, 4))
                                .setDouble(0, 1 + ctx.memory(x.rows(2, 4)).getDouble(0)));
                if (device) {
                    rec.prefetch(y).to(ExecutionTarget.EMULATED);
                }
            });
            assertMentions(assertThrows(TaskFailedException.class, graph::run), "task \"t\" changed \"x" + READ);
        }
    }

    /** Between two runs, or before a run: the first of its tasks that has to do with it. */
    @Test
    void anArrayThatOtherCodeWrites() {
        try (Session session = checked()) {
            double[] home = new double[8];
            Data x = session.data().vector("x", home);
            CompiledGraph graph = session.record("graph", rec -> {
                rec.task("first").updates(x).run(ctx -> ctx.memory(x).setDouble(0, 3));
                rec.task("second").updates(x).run(ctx -> ctx.memory(x).setDouble(1, 3));
            });
            graph.run();
            home[1] = 77;
            assertMentions(
                    assertThrows(TaskFailedException.class, graph::run),
                    "task \"first\" failed",
                    "the array of data \"x\" was changed",
                    "by code that is in no task");
            session.graph().task("anew").writes(x).run(ctx -> {}).join();
            graph.run();
            session.data().fetch(x);
        }
    }

    /** What is right stays right: choices, passes, parts, tasks without their data, runs side by side. */
    @Test
    void whatIsDeclaredIsFree() {
        try (Session session = checked()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<List<Integer>> part = session.wrap("part", new ArrayList<>(), x);
            Data data = session.data().vector("data", new double[8]);
            CompiledGraph inner = session.record(
                    "inner",
                    rec -> rec.task("in")
                            .updates(data.rows(0, 4))
                            .run(ctx -> ctx.memory(data.rows(0, 4)).setDouble(0, 5)));
            CompiledGraph graph = session.record(rec -> {
                rec.task("add").updates(x).run(ctx -> {
                    x.value()[0]++;
                    part.value().add(1);
                });
                rec.choose("which", t -> t.reads(x), 2, ctx -> ctx.get(x)[0] % 2)
                        .in(0, even -> even.task("even").updates(x).run(ctx -> ctx.get(x)[0] += 10));
                rec.task("apart").unstaged().reads(data).run(ctx -> {});
                rec.graph("inner", inner);
                rec.repeatWhile("more", t -> t.reads(x), ctx -> ctx.get(x)[0] < 20);
            });
            graph.run();
            assertEquals(24, x.value()[0], "1, 12, 13, 24");
            session.data().fetch(data);
        }
    }
}
