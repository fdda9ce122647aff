package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.Watchdog;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Flags beside kernels and targets, tags without members, coordinates, own kinds, and waiting inside tasks. */
@Timeout(180)
class FlagsAndTagsTest {
    private static final ExecutionTarget DSP = ExecutionTarget.named("dsp");

    private final LinkedBlockingQueue<String> stalls = new LinkedBlockingQueue<>();
    private final Session session = Session.builder()
            .workers(3)
            .workersFor(DSP, 1)
            .stallWatch(Duration.ofMillis(100), stalls::add)
            .open();
    private final TaskGraph graph = session.graph();
    private final Thread main = Thread.currentThread();
    private final AtomicInteger onMain = new AtomicInteger();
    private final AtomicInteger elsewhere = new AtomicInteger();
    private final TaskBody body = ctx -> count();

    @AfterEach
    void close() {
        session.close();
    }

    private void count() {
        (Thread.currentThread() == main ? onMain : elsewhere).incrementAndGet();
    }

    private void assertAllOnMain(int tasks) {
        graph.await();
        assertEquals(tasks, onMain.get());
        assertEquals(0, elsewhere.get());
    }

    @Test
    void theMainThreadRunsKernelsToo() {
        Kernel plain = Kernel.named("send").on(DSP, ctx -> count()).on(ExecutionTarget.HOST, ctx -> count());
        Kernel host = Kernel.named("send").onHost(args -> count());
        for (int i = 0; i < 30; i++) {
            graph.task("plain").flag(Flag.MAIN_THREAD).run(plain);
            graph.task("host").flag(Flag.MAIN_THREAD).run(host);
        }
        assertAllOnMain(60);
    }

    @Test
    void theMainThreadAndTheHostMayBeNamedInEitherOrder() {
        for (int i = 0; i < 30; i++) {
            graph.task("first").flag(Flag.MAIN_THREAD).on(ExecutionTarget.HOST).run(body);
            graph.task("last").on(ExecutionTarget.HOST).flag(Flag.MAIN_THREAD).run(body);
        }
        assertAllOnMain(60);
    }

    @Test
    void theMainThreadAndATargetAreRefused() {
        for (TaskBuilder builder : List.of(
                graph.task("t").flag(Flag.MAIN_THREAD).on(DSP),
                graph.task("t").on(DSP).flag(Flag.MAIN_THREAD))) {
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> builder.run(body)),
                    "task \"t\" is for the main thread and for target dsp",
                    "leave out flag(Flag.MAIN_THREAD) or on(dsp)");
        }
        Kernel kernel = Kernel.named("k").on(DSP, ctx -> count());
        TaskBuilder builder = graph.task("t").flag(Flag.MAIN_THREAD);
        assertMentions(
                assertThrows(IllegalStateException.class, () -> builder.run(kernel)),
                "kernel \"k\" is implemented for",
                "the task is for the main thread, which runs tasks for the host");
    }

    @Test
    void aFlagOfTheUsersMeansNothingToTheGraph() {
        CountDownLatch ran = new CountDownLatch(1);
        graph.task("t").flag(Flag.named("main"), Flag.named("synchronizing")).run(ctx -> ran.countDown());
        Watchdog.await(ran, "another thread runs it while the main thread does not wait in the session");
        assertEquals(Flag.named("main"), Flag.named("main"));
    }

    @Test
    void coordinatesOfOneResourceAreOfOneType() {
        Resource field = session.resource("field");
        graph.task("ints").accesses(field, Access.update(Area.of(0, 3))).run(ctx -> {});
        graph.await();
        TaskBuilder reals = graph.task("reals").accesses(field, Access.update(Area.ofReals(0, 3)));
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> reals.run(ctx -> {})),
                "task \"reals\" accesses the area",
                "which has real coordinates; the areas accessed before have integer coordinates");
    }

    @Test
    void theReportNamesATagWithoutMembers() {
        graph.task("member").tag("assemble").run(ctx -> {});
        graph.task("solve").afterTag("assemble").run(ctx -> {});
        graph.task("typo").afterTag("asemble").run(ctx -> {});
        graph.await();
        assertEquals(List.of("asemble"), graph.report().tagsWithoutMembers());
        assertMentions(new AssertionError(graph.report()), "3 tasks: 3 done", "no task had the tag \"asemble\"");
    }

    @Test
    void aTagMayHaveItsFirstMemberLater() {
        CountDownLatch goOn = new CountDownLatch(1);
        Task<?> solve = graph.task("solve")
                .afterTag("assemble", Task.TagMembers.MAY_STILL_COME)
                .run(ctx -> {});
        graph.task("beside").run(ctx -> {}).join();
        assertFalse(solve.state().isOver());
        Task<?> member = graph.task("member").tag("assemble").run(ctx -> goOn.await());
        assertFalse(solve.state().isOver());
        goOn.countDown();
        solve.join();
        assertEquals(TaskState.DONE, member.state());
        assertEquals(List.of(), graph.report().tagsWithoutMembers());
    }

    @Test
    void theStallWatchNamesATagThatNeverComes() throws Exception {
        Task<?> solve = graph.task("solve")
                .afterTag("assemble", Task.TagMembers.MAY_STILL_COME)
                .run(ctx -> {});
        Thread.ofPlatform().start(() -> {
            try {
                stalls.put("told: " + stalls.take());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                graph.cancel();
            }
        });
        assertThrows(CancellationException.class, graph::await);
        assertMentions(
                new AssertionError(stalls.poll(20, TimeUnit.SECONDS)),
                "\"solve\" waits for a task with the tag \"assemble\" (of which none was submitted so far)");
        assertEquals(TaskState.CANCELLED, solve.state());
    }

    /** A kind whose readers exclude each other. */
    private record Cursor(Resource of) implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            return earlier instanceof Cursor || Mode.ofStranger(this).conflictsWith(earlier);
        }

        @Override
        public boolean covers(Access other) {
            return other instanceof Cursor || Mode.ofStranger(other) == Mode.NONE;
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public boolean writes() {
            return false;
        }
    }

    @Test
    void readersThatConflictBreakALaw() {
        Resource file = session.resource("file");
        TaskBuilder first = graph.task("receive").accesses(file, new Cursor(file));
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> first.run(ctx -> {})),
                "task \"receive\" accesses \"file\" by",
                "breaks a law of Access: two accesses of which neither writes never conflict");
    }

    @Test
    void theCodeOfATaskMustNotWaitForOthers() {
        Task<Integer> one = graph.task("one").call(ctx -> 41);
        one.join(); // over, and all the same
        Task<Integer> two = graph.task("two").call(ctx -> one.join() + 1);
        assertMentions(
                assertThrows(TaskFailedException.class, two::join),
                "the body of a task must not wait for task \"one\", even if that is over by chance",
                "come after(...)");
        assertEquals(
                42, graph.task("three").after(one).call(ctx -> one.join() + 1).join());
        Task<?> awaits = graph.task("awaits")
                .run(ctx -> session.graph("other", dev.jacquard.core.graph.FailurePolicy.CONTINUE)
                        .await());
        assertThrows(TaskFailedException.class, awaits::join);
    }

    @Test
    void whatIsLeftToDoMayAskForTheResultsOfItsParts() {
        Resource x = session.resource("x");
        Task<?> whole = graph.task("whole").updates(x).run(ctx -> {
            List<Task<Integer>> parts = new java.util.ArrayList<>();
            ctx.refine(sub -> parts.add(sub.task("part").updates(x).call(c -> 3)));
            ctx.afterwards(rest -> assertEquals(3, parts.getFirst().join()));
        });
        whole.join();
    }
}
