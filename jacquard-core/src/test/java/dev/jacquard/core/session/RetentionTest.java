package dev.jacquard.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskContext;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a task leaves behind keeps nothing alive that the task has used. */
@Timeout(180)
class RetentionTest {
    private static final int TASKS = 50;
    /** Workers may remember what they ran last. */
    private static final int FEW = 5;

    private final List<WeakReference<Object>> used = new CopyOnWriteArrayList<>();
    private final List<Object> left = new CopyOnWriteArrayList<>();

    /** What a sub-task makes, and its maker outlives. */
    enum Made {
        HANDLE,
        LOCK,
        PART,
        DATA;

        private Resource in(Session session) {
            return switch (this) {
                case HANDLE -> session.wrap("made", new int[1]);
                case LOCK -> session.unordered("made");
                case PART -> session.resource("part", session.resource("whole"));
                case DATA -> session.data().vector("made", DataType.INT32, 1);
            };
        }
    }

    private Handle<byte[]> large(Session session) {
        byte[] value = new byte[1000];
        used.add(new WeakReference<>(value));
        return session.wrap("large", value);
    }

    private void assertMostAreFree() {
        long alive = TASKS;
        for (int tries = 0; tries < 20 && alive > FEW; tries++) {
            System.gc();
            alive = used.stream().filter(it -> it.get() != null).count();
        }
        assertEquals(TASKS, left.size());
        assertTrue(alive <= FEW, alive + " values are still alive that tasks used which are over");
    }

    @ParameterizedTest
    @EnumSource
    void whatASubTaskMadeKeepsNothingThatItsSiblingsUsed(Made kind) {
        try (Session session = Session.builder().workers(2).open()) {
            for (int i = 0; i < TASKS; i++) {
                refined(session, kind);
            }
            session.graph().await();
            assertMostAreFree();
        }
    }

    /** Not inlined into the loop: its handle is to be free behind it. */
    private void refined(Session session, Made kind) {
        Handle<byte[]> large = large(session);
        session.graph()
                .task("refined")
                .updates(large)
                .run(ctx -> ctx.refine(sub -> {
                    sub.task("uses").updates(large).run(RetentionTest::nothing);
                    Task<?> makes = sub.task("makes").run(inner -> left.add(kind.in(session)));
                    sub.task("uses more").after(makes).updates(large).run(RetentionTest::nothing);
                }));
    }

    @Test
    void whatATaskMadeAndItsSubTasksUsedKeepsNoneOfTheOthers() {
        try (Session session = Session.builder().workers(2).open()) {
            for (int i = 0; i < TASKS; i++) {
                Handle<byte[]> large = large(session);
                session.graph().task("refined").updates(large).run(ctx -> {
                    Handle<int[]> made = session.wrap("made", new int[1]);
                    left.add(made);
                    ctx.refine(
                            sub -> sub.task("uses").updates(large).updates(made).run(inner -> inner.get(made)[0]++));
                });
            }
            session.graph().await();
            assertMostAreFree();
        }
    }

    @Test
    void theResultOfASubTaskKeepsNothingThatItsSiblingsUsed() {
        try (Session session = Session.builder().workers(2).open()) {
            for (int i = 0; i < TASKS; i++) {
                Handle<byte[]> large = large(session);
                Resource lamp = session.unordered("lamp");
                session.graph().task("refined").updates(large).updates(lamp).run(ctx -> {
                    ctx.refine(sub -> {
                        left.add(sub.task("part").run(RetentionTest::nothing));
                        sub.task("uses").updates(large).updates(lamp).run(RetentionTest::nothing);
                        sub.task("tagged").tag("tag").updates(large).run(RetentionTest::nothing);
                    });
                    ctx.afterwards(rest -> rest.get(large)[0]++);
                });
            }
            session.graph().await();
            assertMostAreFree();
        }
    }

    @Test
    void makingMuchInsideOneTaskKeepsNothingOfItAlive() {
        try (Session session = Session.builder().workers(1).open()) {
            List<WeakReference<Object>> made = new ArrayList<>();
            session.graph().task("makes").run(ctx -> {
                for (int i = 0; i < TASKS; i++) {
                    Handle<byte[]> one = session.wrap("made", new byte[1000]);
                    made.add(new WeakReference<>(one));
                }
                for (int tries = 0; tries < 20 && made.stream().anyMatch(it -> it.get() != null); tries++) {
                    System.gc();
                }
                left.add(made.stream().filter(it -> it.get() != null).count());
            });
            session.graph().await();
            assertTrue((long) left.getFirst() <= 1, () -> left + " handles are alive that nobody has");
        }
    }

    private static void nothing(TaskContext context) {}
}
