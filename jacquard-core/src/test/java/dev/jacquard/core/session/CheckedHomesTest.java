package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Contents;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import dev.jacquard.memory.device.emulated.EmulatedBody;
import dev.jacquard.memory.device.emulated.EmulatedDevice;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checking mode finds code that writes a user's array while tasks use it. */
@Timeout(180)
class CheckedHomesTest {
    /** Everything one more, on devices. */
    private static final Kernel COUNT = Kernel.named("count")
            .onDevice(ExecutionTarget.EMULATED, new EmulatedBody("count", launch -> {
                MemorySegment x = launch.memory(0);
                for (long i = 0; i < x.byteSize() / 8; i++) {
                    x.setAtIndex(ValueLayout.JAVA_DOUBLE, i, x.getAtIndex(ValueLayout.JAVA_DOUBLE, i) + 1);
                }
            }));

    private static Session checked() {
        return Session.builder()
                .workers(1)
                .checking()
                .device(EmulatedDevice.offer("emulated0"))
                .open();
    }

    private static Throwable failure(Session session, Task<?> task) {
        Throwable failure = assertThrows(TaskFailedException.class, task::join);
        session.graph().await();
        return failure;
    }

    @Test
    void anArrayThatIsWrittenBetweenTasksIsFoundByTheNext() {
        double[] home = {1, 2, 3};
        try (Session session = checked()) {
            Data x = session.data().vector("x", home);
            home[0] = 5; // nobody has used it so far
            session.graph().task("first").reads(x).run(context -> {}).join();
            home[1] = 7;
            Task<?> task = session.graph().task("second").reads(x).run(context -> {});
            assertMentions(
                    failure(session, task),
                    "the array of data \"x\" was changed, within [0 until 3], between task \"first\" and task \"second\"",
                    "session.data().open(data, Mode.UPDATE)");
            session.graph().task("third").reads(x).run(context -> {}).join();
        }
    }

    @Test
    void anArrayThatIsWrittenWhileADeviceHasANewerVersionIsFoundByTheFetch() {
        double[] home = {1, 2, 3};
        try (Session session = checked()) {
            Data x = session.data().vector("x", home);
            session.graph().task("count").updates(x).run(COUNT).join();
            home[2] = 9;
            assertMentions(
                    assertThrows(TaskFailedException.class, () -> session.data().fetch(x)),
                    "data \"x\" was changed",
                    "between task \"count\" and task \"fetch x\"");
            session.graph().await();
            session.data().fetch(x);
            assertEquals(4, home[2]);
        }
    }

    /** It is told by its own failure that it changed what it only reads. */
    @Test
    void whatATaskChangesAgainstItsDeclarationIsToldOnce() {
        double[] home = {1, 2, 3};
        try (Session session = checked()) {
            Data x = session.data().vector("x", home);
            Task<?> bad = session.graph()
                    .task("bad")
                    .reads(x)
                    .run(context -> context.memory(x).setDouble(1, 5));
            assertMentions(failure(session, bad), "task \"bad\" changed \"x\"", "declared as READ");
            session.graph()
                    .task("good")
                    .updates(x)
                    .run(context -> context.memory(x).setDouble(0, 7))
                    .join();
            assertEquals(7, home[0]);
        }
    }

    @Test
    void whatIsWrittenInTasksAndUserViewsIsNot() {
        double[] home = {1, 2, 3, 4};
        try (Session session = checked()) {
            Data x = session.data().vector("x", home);
            for (int step = 0; step < 3; step++) {
                session.graph()
                        .task("half")
                        .updates(x.rows(0, 2))
                        .run(context -> context.memory(x.rows(0, 2)).setDouble(0, 7));
                session.graph().task("count").updates(x.rows(1, 3)).run(COUNT);
                session.graph().task("count").updates(x).run(COUNT);
                session.data().fetch(x);
                try (UserView view = session.data().open(x, Mode.UPDATE)) {
                    view.memory().setDouble(3, 100);
                    home[2] = 50;
                }
                session.graph().task("read").reads(x).run(context -> {}).join();
            }
            assertEquals(50, home[2]);
            assertEquals(8, home[0]);
        }
    }

    @Test
    void aFailedTaskMayHaveWrittenWhatItReadsToo() {
        double[] home = {1, 2, 3};
        try (Session session = checked()) {
            Data x = session.data().vector("x", home);
            Task<?> bad = session.graph()
                    .task("bad")
                    .updates(x.rows(0, 1))
                    .reads(x)
                    .run(context -> {
                        context.memory(x.rows(0, 1)).setDouble(0, 7);
                        throw new IllegalStateException("half done");
                    });
            assertMentions(failure(session, bad), "half done");
            session.graph().task("anew").writes(x).run(context -> {}).join();
        }
    }

    @Test
    void aPartThatATaskWritesHidesNoChangeBesideIt() {
        double[] home = {1, 2, 3, 4};
        try (Session session = checked()) {
            Data x = session.data().vector("x", home);
            session.graph().task("read").reads(x).run(context -> {}).join();
            session.graph()
                    .task("write")
                    .updates(x.rows(0, 2))
                    .run(context -> context.memory(x.rows(0, 2)).setDouble(0, 7))
                    .join();
            home[3] = 1;
            session.graph().task("other").reads(x.rows(0, 2)).run(context -> {}).join();
            Task<?> task = session.graph().task("late").reads(x.rows(3, 4)).run(context -> {});
            assertMentions(failure(session, task), "within [2 until 4], between task \"read\" and task \"late\"");
        }
    }

    @Test
    void aBodyThatWritesWhatItDeclaredAsReadIsFound() {
        try (Session session = checked()) {
            Data x = session.data().matrix("x", new double[6], 2, 3);
            Task<?> task = session.graph()
                    .task("careless")
                    .reads(x.block(0, 1, 2, 2))
                    .run(context -> context.memory(x.block(0, 1, 2, 2)).setDouble(1, 1, 7));
            assertMentions(failure(session, task), "task \"careless\" changed \"x\", which it declared as READ");
        }
    }

    @Test
    void hashesKnowElementsAndNoGaps() {
        byte[] bytes = new byte[3 * 5];
        Memory memory = new Memory(MemorySegment.ofArray(bytes), Layout.matrix(DataType.INT8, 3, 4, 5));
        long before = Contents.hash(memory);
        bytes[4] = 1;
        bytes[9] = 1;
        assertEquals(before, Contents.hash(memory));
        for (int i : new int[] {0, 3, 5, 13}) {
            bytes[i] ^= 1;
            assertEquals(false, before == Contents.hash(memory));
            bytes[i] ^= 1;
        }
        assertEquals(before, Contents.hash(memory));
    }
}
