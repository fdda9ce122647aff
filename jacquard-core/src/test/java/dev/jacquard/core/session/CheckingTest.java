package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.Checking;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Contents;
import dev.jacquard.memory.data.Copier;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Watchdog;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checking mode finds bodies that touch what they did not declare. */
@Timeout(180)
class CheckingTest {
    private final Session session = Session.builder()
            .workers(2)
            .checking(Checking.basic()
                    .hashing(StringBuilder.class, text -> text.toString().hashCode()))
            .open();
    private final TaskGraph graph = session.graph();
    private final Handle<double[]> x = session.wrap("x", new double[8]);
    private final Handle<double[]> y = session.wrap("y", new double[8]);

    @AfterEach
    void close() {
        session.close();
    }

    private TaskFailedException failureOf(Task<?> task) {
        TaskFailedException failure = assertThrows(TaskFailedException.class, task::join);
        graph.await();
        assertEquals(TaskState.FAILED, task.state());
        return failure;
    }

    @Test
    void aHandleThatWasNotDeclaredIsRefusedInsideABody() {
        Task<?> task = graph.task("careless").reads(x).run(context -> y.value()[0] = 1);
        assertMentions(
                failureOf(task),
                "task \"careless\" failed on worker ",
                "(READ x), submitted at dev.jacquard.core.session.CheckingTest.aHandleThatWasNotDeclaredIsRefusedInsideABody"
                        + "(CheckingTest.java:",
                "task \"careless\" touches \"y\" without a declared access: declare it with reads, updates, writes or accesses");
    }

    @Test
    void aHandleThatWasGivenUpIsRefusedInsideABody() {
        Task<?> task = graph.task("careless").updates(x).run(context -> {
            context.demote(x, Access.none());
            context.get(x)[0] = 1;
        });
        assertMentions(failureOf(task), "task \"careless\" touches \"x\" after it gave up its access");
    }

    @Test
    void aHandleThatIsWrittenBehindADemotionToReadIsFound() {
        Task<?> task = graph.task("careless").updates(x).run(context -> {
            context.get(x)[0] = 1;
            context.demote(x, Access.read());
            context.get(x)[0] = 2;
        });
        assertMentions(
                failureOf(task),
                "task \"careless\" changed \"x\" after the task gave up writing it:" + " write before the demotion");
    }

    @Test
    void aHandleThatIsNotReadAnyMoreMayChange() {
        CountDownLatch written = new CountDownLatch(1);
        graph.task("reader").reads(x).run(context -> {
            context.demote(x, Access.none());
            Watchdog.await(written, "the writer runs");
        });
        graph.task("writer").updates(x).run(context -> {
            context.get(x)[0] = 1;
            written.countDown();
        });
        graph.await();
    }

    @Test
    void declaredHandlesPartsOfThemAndHandlesOutsideOfBodiesAreFree() {
        Handle<double[]> part = session.wrap("part", new double[2], x);
        graph.task("careful").updates(x).run(context -> {
            x.value()[0] = context.get(x)[1] + 1;
            part.value()[0] = 1;
        });
        graph.await();
        assertEquals(1, x.value()[0]);
        try (Session other = Session.builder().workers(1).open()) {
            Handle<int[]> foreign = other.wrap("foreign", new int[1]);
            graph.task("looks abroad").run(context -> foreign.value()[0] = 1);
            graph.await();
        }
    }

    @Test
    void aBodyThatWritesWhatItDeclaredAsReadFails() {
        Task<?> task = graph.task("scale").reads(x).updates(y).run(context -> {
            context.get(y)[0] = 1;
            context.get(x)[3] = -0.0;
        });
        assertMentions(
                failureOf(task),
                "task \"scale\" changed \"x\", which it declared as READ: declare it with updates or writes",
                "submitted at");
        graph.task("y again").writes(y).run(context -> {});
    }

    @Test
    void whatItCapturedIsWatchedToo() {
        double[] mine = x.value();
        assertMentions(failureOf(graph.task("sly").reads(x).run(context -> mine[0]++)), "task \"sly\" changed \"x\"");
    }

    @Test
    void tasksWithResultsAreWatchedLikeOthers() {
        Task<Double> task = graph.task("sum").reads(x).call(context -> context.get(x)[0] = 2);
        assertMentions(failureOf(task), "task \"sum\" changed \"x\"");
    }

    @Test
    void objectsAreWatchedThroughAHashOrACopierWithEquality() {
        Handle<StringBuilder> text = session.wrap("text", new StringBuilder("a"));
        assertMentions(
                failureOf(graph.task("writes text")
                        .reads(text)
                        .run(context -> context.get(text).append('b'))),
                "changed \"text\"");
        Handle<List<Integer>> list = session.wrap("list", new ArrayList<>(List.of(1)), new ListCopier());
        assertMentions(
                failureOf(graph.task("writes list")
                        .reads(list)
                        .run(context -> context.get(list).add(2))),
                "changed \"list\"");
        Handle<AtomicInteger> unknown = session.wrap("unknown", new AtomicInteger(), new IntegerCopier());
        graph.task("nobody knows")
                .reads(unknown)
                .run(context -> context.get(unknown).incrementAndGet());
        graph.await();
    }

    private static final class ListCopier implements Copier<List<Integer>> {
        @Override
        public List<Integer> copy(List<Integer> original) {
            return new ArrayList<>(original);
        }

        @Override
        public void restore(List<Integer> kept, List<Integer> target) {
            target.clear();
            target.addAll(kept);
        }
    }

    /** Of a type that is equal to nothing but itself. */
    private static final class IntegerCopier implements Copier<AtomicInteger> {
        @Override
        public AtomicInteger copy(AtomicInteger original) {
            return new AtomicInteger(original.get());
        }

        @Override
        public void restore(AtomicInteger kept, AtomicInteger target) {
            target.set(kept.get());
        }
    }

    @Test
    void readersOfAnAreaMayHaveWritersBesideThem() {
        for (int i = 0; i < 200; i++) {
            graph.task("reads left").accesses(x, Access.read(Area.of(0, 3))).run(context -> context.get(x));
            graph.task("writes right").accesses(x, Access.update(Area.of(4, 7))).run(context -> context.get(x)[5]++);
        }
        graph.await();
    }

    @Test
    void aBodyThatTouchesWhatItHasHandedOnFails() {
        Task<?> task = graph.task("whole").updates(x).updates(y).run(context -> {
            context.refine(inside -> {
                context.get(x)[0] = 1; // nothing was handed on yet
                inside.task("left").accesses(x, Access.update(Area.of(0, 3))).run(sub -> sub.get(x)[0] = 2);
            });
            context.get(y)[0] = 1; // its own still
            context.get(x)[7] = 1;
        });
        assertMentions(
                failureOf(task),
                "task \"whole\" touches \"x\" after it gave that to its sub-task \"left\"",
                "ctx.afterwards");
    }

    @Test
    void afterwardsTheBodyHasItBackAndIsWatchedOn() {
        graph.task("whole").updates(x).run(context -> {
            context.refine(inside -> inside.task("part").updates(x).run(sub -> sub.get(x)[0] = 2));
            context.afterwards(rest -> rest.get(x)[1] = rest.get(x)[0]);
        });
        graph.await();
        assertEquals(2, x.value()[1]);
        Task<?> sly = graph.task("sly").updates(x).run(context -> {
            context.refine(inside -> inside.task("part").updates(x).run(sub -> {}));
            context.afterwards(rest -> y.value()[0] = 1);
        });
        assertMentions(failureOf(sly), "task \"sly\" touches \"y\"");
    }

    @Test
    void whoOnlyReadsMayReadOnAfterHandingOn() {
        graph.task("reader").reads(x).run(context -> {
            context.refine(inside -> inside.task("part").reads(x).run(sub -> sub.get(x)));
            context.get(x);
        });
        graph.await();
    }

    @Test
    void outsideOfCheckingModeNobodyLooks() {
        try (Session free = Session.builder().workers(2).open()) {
            Handle<int[]> a = free.wrap("a", new int[1]);
            Handle<int[]> b = free.wrap("b", new int[1]);
            TaskBody sly = context -> {
                context.get(a)[0]++;
                b.value()[0]++;
            };
            free.graph().task("sly").reads(a).run(sly);
            free.graph().await();
            Task<?> bad = free.graph().task("bad").run(context -> {
                throw new IllegalStateException("no");
            });
            String message = assertThrows(TaskFailedException.class, bad::join).toString();
            assertFalse(message.contains("submitted at"), message);
            free.graph().await();
        }
    }

    @Test
    void snapshotsSayWhereATaskWasSubmitted() {
        try (Session watched = Session.builder().workers(1).checking().open()) {
            watched.graph().task("t").run(context -> {});
            String details = watched.snapshot().tasks().getFirst().details();
            assertTrue(details.contains("submitted at dev.jacquard.core.session.CheckingTest.snapshots"), details);
        }
    }

    private static Object otherThan(Object first) {
        return switch (first) {
            case Boolean flag -> !flag;
            case Character letter -> 'a';
            default -> (byte) 1; // widens to whatever number it is
        };
    }

    @Test
    void hashesSeeEveryChangeOfEveryKindOfArray() {
        Object[] arrays = {
            new boolean[2], new byte[2], new char[2], new short[2], new int[2], new long[2], new float[2], new double[2]
        };
        for (Object array : arrays) {
            long before = Contents.hash(array);
            Object first = Array.get(array, 0);
            Array.set(array, 1, otherThan(first));
            long after = Contents.hash(array);
            assertNotEquals(before, after, array.getClass().getSimpleName());
            Array.set(array, 1, first);
            assertEquals(before, Contents.hash(array));
        }
        double[][] nested = new double[2][3];
        long before = Contents.hash(nested);
        nested[1][2] = 1;
        assertNotEquals(before, Contents.hash(nested));
        assertNotEquals(Contents.hash(new int[] {1, 2}), Contents.hash(new int[] {2, 1}));
        Object[] itself = new Object[1];
        itself[0] = itself;
        assertEquals(Contents.hash(itself), Contents.hash(itself));
        assertThrows(IllegalArgumentException.class, () -> Contents.hash("text"));
    }
}
