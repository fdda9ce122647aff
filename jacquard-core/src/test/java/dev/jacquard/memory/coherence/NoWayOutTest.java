package dev.jacquard.memory.coherence;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import dev.jacquard.memory.device.emulated.EmulatedOffer;
import dev.jacquard.memory.device.emulated.EmulatedOffer.FaultPlan;
import dev.jacquard.testkit.Mute;
import dev.jacquard.testkit.Watchdog;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory of the user's, or of a device, that cannot be read or written any more when others need room, or look. */
@Timeout(180)
class NoWayOutTest {
    private static final int LENGTH = 10;
    /** For one of the data, not for two. */
    private static final long LIMIT = 100;

    private static final Layout LAYOUT = Layout.of(DataType.FLOAT64, LENGTH);

    private static final Kernel INCREMENT = Kernel.named("increment")
            .parameters("x")
            .onHost(arguments -> {
                Memory x = arguments.memory("x");
                for (int i = 0; i < LENGTH; i++) {
                    x.setDouble(i, x.getDouble(i) + 1);
                }
            });

    private static Session session(EmulatedOffer device) {
        return Session.builder().workers(2).device(device.memory(1_000), LIMIT).open();
    }

    private static EmulatedOffer device() {
        return EmulatedDevice.offer("emulated0");
    }

    /** Runs a task for which {@code kept} would have to leave the device, and returns the text of its failure. */
    private static TaskFailedException failsBeside(Session session, double[] other) {
        Data z = session.data().vector("z", other);
        Task<?> task = session.graph()
                .task("z")
                .updates(z)
                .on(ExecutionTarget.EMULATED)
                .run(INCREMENT);
        TaskFailedException failed = assertThrows(TaskFailedException.class, task::join);
        assertMentions(failed, "task \"z\" finds no room for its data", "has nowhere to go: y (");
        return failed;
    }

    private static void update(Session session, Data y) {
        session.graph().task("y").updates(y).on(ExecutionTarget.EMULATED).run(INCREMENT);
        session.graph().await();
    }

    /** It would never be brought home. */
    @Test
    void memoryThatIsReadOnlyIsNotWritten() {
        double[] home = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
        try (Session session = session(device())) {
            Data y =
                    session.data().home("y", LAYOUT, MemorySegment.ofArray(home).asReadOnly());
            Data z = session.data().vector("z", new double[LENGTH]);
            String why = "writes data \"y\", which lies in read-only memory of the user";
            TaskBuilder device = session.graph().task("device").updates(y).on(ExecutionTarget.EMULATED);
            assertMentions(
                    assertThrows(IllegalArgumentException.class, () -> device.run(INCREMENT)),
                    "task \"device\" " + why);
            TaskBuilder host = session.graph().task("host").writes(y.part(Box.of(new long[] {0}, new long[] {2})));
            assertMentions(assertThrows(IllegalArgumentException.class, () -> host.run(context -> {})), why);
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class, () -> session.data().open(y, Mode.UPDATE)),
                    why);
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> session.record(
                                    "step",
                                    graph -> graph.task("in it").updates(y).run(context -> {}))),
                    why);
            assertMentions(
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> session.compile("step")
                                    .task("in it", context -> {}, accesses -> accesses.updates(y))),
                    why);
            Kernel sum = Kernel.named("sum")
                    .parameters("z", "y")
                    .onHost(arguments -> arguments
                            .memory("z")
                            .setDouble(0, arguments.memory("y").getDouble(9)));
            session.graph().task("reads").updates(z).reads(y).run(sum);
            session.graph().await();
            session.data().free(y);
        }
    }

    @Test
    void dataWhoseHomeIsClosedStays() {
        Session session = session(device());
        assertMentions(
                assertThrows(IllegalStateException.class, () -> {
                    try (session) {
                        Arena arena = Arena.ofShared();
                        update(
                                session,
                                session.data().home("y", LAYOUT, arena.allocate(LAYOUT.bytes(), Layout.ALIGNMENT)));
                        arena.close();
                        assertMentions(failsBeside(session, new double[LENGTH]), "the user's memory was closed");
                    }
                }),
                "not all that tasks wrote could be brought to the user's arrays",
                "closed");
    }

    /** Tried as often as any copy, and not for ever; the next task tries again. */
    @Test
    void dataWhoseCopiesFailStays() {
        double[] home = new double[LENGTH];
        FaultPlan plan = FaultPlan.NONE.at(FaultPlan.Kind.COPY, 2, 3, 4); // the tries of the first copy out
        double[] other = new double[LENGTH];
        try (Session session = session(device().faults(plan))) {
            update(session, session.data().vector("y", home));
            assertMentions(failsBeside(session, other), "a copy of 80 bytes out failed");
            double[] third = new double[LENGTH];
            update(session, session.data().vector("third", third));
        }
        assertEquals(1, home[3]);
        assertEquals(0, other[3]);
    }

    /** A task that waits until others give their memory back is to be seen. */
    @Test
    void aTaskThatWaitsForRoomIsInSnapshots() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        Kernel waits = Kernel.named("waits").parameters("x").onHost(arguments -> {
            begun.countDown();
            Watchdog.await(goesOn, "the snapshot is taken");
        });
        try (Session session = session(device())) {
            Data y = session.data().vector("y", new double[LENGTH]);
            Data z = session.data().vector("z", new double[LENGTH]);
            session.graph()
                    .task("has the room")
                    .updates(y)
                    .on(ExecutionTarget.EMULATED)
                    .run(waits);
            Watchdog.await(begun, "the first task has the room");
            session.graph()
                    .task("waits")
                    .updates(z)
                    .on(ExecutionTarget.EMULATED)
                    .run(INCREMENT);
            Watchdog.until(
                    () -> session.snapshot().tasks().stream()
                            .anyMatch(task -> task.name().equals("waits")
                                    && task.waitsFor().toString().contains("room for its data")),
                    "the snapshot shows what waits for room");
            String text = session.snapshot().toString();
            assertTrue(text.contains("emulated0 may hold 100 bytes of replicas and holds 80"), text);
            goesOn.countDown();
            session.graph().await();
        }
    }

    /** In checking mode what cannot be read is not looked at: the task that uses it fails, and no other. */
    @Test
    void checkingEndsNothingWhereMemoryIsClosed() {
        try (Session session = Session.builder().workers(2).checking().open()) {
            Arena arena = Arena.ofShared();
            Data y = session.data().home("y", LAYOUT, arena.allocate(LAYOUT.bytes(), Layout.ALIGNMENT));
            session.graph()
                    .task("fills")
                    .writes(y)
                    .run(context -> context.memory(y).setDouble(0, 1));
            session.graph().await();
            arena.close();
            Task<?> reads = session.graph()
                    .task("reads")
                    .reads(y)
                    .run(context -> context.memory(y).getDouble(0));
            assertMentions(assertThrows(TaskFailedException.class, reads::join), "task \"reads\" failed");
            assertEquals(42, session.graph().task("other").call(context -> 42).join());
            assertEquals(TaskState.FAILED, reads.state());
        }
    }

    /** The thread of a device survives exceptions that cannot be told. */
    @Test
    void anExceptionWithoutATextFailsTheTask() {
        Kernel fails = Kernel.named("fails").parameters("x").onHost(arguments -> {
            throw new Mute();
        });
        try (Session session = session(device())) {
            Data y = session.data().vector("y", new double[LENGTH]);
            Task<?> task = session.graph()
                    .task("y")
                    .updates(y)
                    .on(ExecutionTarget.EMULATED)
                    .run(fails);
            assertThrows(TaskFailedException.class, task::join);
            assertEquals(TaskState.FAILED, task.state());
        }
    }
}
