package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Values that cannot be meant are refused where they are given, and the session works on. */
@Timeout(180)
class AbsurdValuesTest {
    private static void refused(Consumer<Session> call, String... parts) {
        try (Session session = Session.builder().workers(1).open()) {
            assertMentions(assertThrows(IllegalArgumentException.class, () -> call.accept(session)), parts);
            assertEquals(1, session.graph().task("last").call(context -> 1).join());
        }
    }

    private static void refused(Runnable call, String... parts) {
        assertMentions(assertThrows(IllegalArgumentException.class, call::run), parts);
    }

    @Test
    @SuppressWarnings("NullAway") // which is what it is about
    void aNullBodyIsRefusedAndTheSessionWorksOn() {
        try (Session session = Session.builder().workers(1).open()) {
            Handle<int[]> x = session.wrap("x", new int[1]);
            assertMentions(
                    assertThrows(
                            NullPointerException.class,
                            () -> session.graph().task("t").updates(x).run((TaskBody) null)),
                    "task \"t\" was given null as body");
            assertEquals(0, session.graph().report().submitted());
            assertEquals(
                    1,
                    session.graph().task("last").updates(x).call(context -> 1).join());
        }
    }

    @Test
    void aWorkerThatCannotBe() {
        refused(session -> session.graph().task("t").affinity(-1), "task \"t\"", "worker -1", "from 0 on");
    }

    @Test
    void timesThatCannotBeCounted() {
        Duration ever = Duration.ofSeconds(Long.MAX_VALUE);
        refused(
                session -> session.graph().task("t").timeLimit(ever),
                "time limit of task \"t\"",
                "292 years",
                "no limit");
        refused(session -> session.graph().deadline(ever), "deadline of graph \"main\"", "292 years");
        refused(() -> Session.builder().stallWatch(ever, told -> {}), "292 years");
    }

    @Test
    void sizesThatCannotBe(@TempDir Path folder) {
        refused(() -> Session.builder().hostMemory(-1), "-1");
        refused(() -> Session.builder().disk(folder, -1, false), "-1");
        refused(() -> Session.builder().device(EmulatedDevice.offer("emulated0"), 0), "1 to ", "emulated0", "not 0");
        refused(() -> Session.builder().device(EmulatedDevice.offer("emulated0"), -8), "emulated0", "not -8");
        for (String taken : new String[] {"host", "disk", "disk1"}) {
            refused(() -> Session.builder().device(EmulatedDevice.offer(taken)), taken, "another memory");
        }
        refused(() -> Session.builder().trace(-1).open(), "-1");
        refused(() -> Session.builder().workers(0).open(), "0");
        refused(() -> Session.builder().workers(1 << 20).open(), "" + (1 << 20));
        refused(
                () -> Session.builder()
                        .workersFor(ExecutionTarget.named("dsp"), 0)
                        .open(),
                "dsp",
                "0");
        refused(session -> session.data().vector("x", DataType.FLOAT64, 0), "at least 1 element", "0");
        refused(session -> session.data().vector("x", DataType.FLOAT64, Long.MAX_VALUE), "9223372036854775807");
        refused(session -> session.data().matrix("x", DataType.INT8, Long.MAX_VALUE, 2), "9223372036854775807");
    }

    /** What a policy answers, which may have been written without a look at what may be null. */
    private record Answers(String name, Set<Need> needs) implements Policy {
        @Override
        public @Nullable ReadyOrder order() {
            return null;
        }
    }

    @Test
    @SuppressWarnings("NullAway")
    void policiesWithoutANameOrNeeds() {
        refused(
                () -> Session.builder().policy(new Answers(null, Set.of())).open(),
                Answers.class.getName() + " has null for its name()");
        Answers needless = new Answers("mine", null);
        String said = "policy \"mine\" has null for its needs(): one that needs nothing returns Set.of()";
        refused(() -> Session.builder().policy(needless).open(), said);
        refused(
                () -> Session.builder()
                        .policy(needless)
                        .placement((task, machine) -> machine.places().getFirst())
                        .open(),
                said);
    }

    @Test
    void inCheckingModeATaskThatWasBegunAndNeverSubmittedIsToldAtClose() {
        Session session = Session.builder().workers(1).checking().open();
        Handle<int[]> x = session.wrap("x", new int[1]);
        TaskBuilder forgotten = session.graph().task("forgotten").updates(x);
        session.graph().task("submitted").updates(x).run(context -> {});
        assertMentions(
                assertThrows(IllegalStateException.class, session::close),
                forgotten + ", begun at " + AbsurdValuesTest.class.getName(),
                "never ran",
                "run, call, start or open");
        session.close(); // is closed
    }

    /** Whoever was refused knows: nothing was forgotten. */
    @Test
    @SuppressWarnings("NullAway") // on purpose
    void inCheckingModeATaskWhoseDeclarationWasRefusedIsNotToldAtClose() {
        try (Session other = Session.builder().workers(1).open();
                Session session =
                        Session.builder().workers(1).noMainThread().checking().open()) {
            Handle<int[]> foreign = other.wrap("foreign", new int[1]);
            Data freed = session.data().vector("freed", DataType.INT64, 2);
            session.data().free(freed);
            Task<?> stranger = other.graph().task("stranger").run(context -> {});
            List<Consumer<TaskBuilder>> declarations = List.of(
                    task -> task.reads(foreign),
                    task -> task.writes(freed),
                    task -> task.reads((Resource) null),
                    task -> task.after(stranger),
                    task -> task.on(ExecutionTarget.named("nowhere")),
                    task -> task.flag(Flag.MAIN_THREAD),
                    task -> task.affinity(-1),
                    task -> task.retries(-1),
                    task -> task.timeLimit(Duration.ZERO),
                    task -> task.timeLimit(Duration.ofSeconds(Long.MAX_VALUE)),
                    task -> task.run((TaskBody) null));
            for (Consumer<TaskBuilder> declaration : declarations) {
                TaskBuilder task = session.graph().task("refused");
                assertThrows(
                        RuntimeException.class,
                        () -> declaration.accept(task),
                        "declaration " + declarations.indexOf(declaration));
            }
        }
    }
}
