package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessTable;
import dev.jacquard.memory.access.AccessTable.Kind;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.Watchdog;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What others change about a task before it is ready, and what a demotion must not let go. */
@Timeout(180)
class PendingTaskTest {
    private final Session session = Session.builder().workers(3).open();
    private final TaskGraph graph = session.graph();
    private final Resource x = session.resource("x");
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        session.close();
    }

    private void submitHolder() {
        graph.task("holder").updates(x).run(ctx -> Watchdog.await(gate, "the gate opens"));
    }

    @Test
    void aTaskWaitsForTheBlockThatRefinesItFromOutside() {
        submitHolder();
        AtomicBoolean ran = new AtomicBoolean();
        Task<?> refined = graph.task("refined").updates(x).adjustable().run(ctx -> ran.set(true));
        refined.tryRefine(sub -> {
            gate.countDown();
            Task<?> last = graph.task("other").run(ctx -> {});
            last.join();
            assertFalse(ran.get(), "the body ran while sub-tasks were still submitted");
            sub.task("part").updates(x).run(c -> {});
        });
        refined.join();
        graph.await();
        assertEquals(4, graph.report().done());
    }

    @Test
    void aSecondDemotionMustNotPromoteWhatTheFirstGaveUp() {
        submitHolder();
        Task<?> task = graph.task("task").updates(x).adjustable().run(ctx -> {});
        task.tryDemote(x, Access.read());
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> task.tryDemote(x, Access.update())),
                "can only be reduced");
        gate.countDown();
        task.join();
    }

    @Test
    void aSubTaskKeepsAPendingTaskFromGivingUpWhatItNeeds() {
        submitHolder();
        Task<?> task = graph.task("task").updates(x).adjustable().run(ctx -> {});
        task.tryRefine(sub -> sub.task("part").updates(x).run(c -> {}));
        assertMentions(
                assertThrows(IllegalStateException.class, () -> task.tryDemote(x, Access.read())),
                "its sub-task \"part\" still needs UPDATE x");
        gate.countDown();
        task.join();
    }

    @Test
    void aSubTaskMustNotNeedWhatAPendingTaskHasGivenUp() {
        submitHolder();
        Task<?> task = graph.task("task").updates(x).adjustable().run(ctx -> {});
        task.tryDemote(x, Access.read());
        assertThrows(
                IllegalArgumentException.class,
                () -> task.tryRefine(sub -> sub.task("part").updates(x).run(c -> {})));
        gate.countDown();
        task.join();
    }

    /** Poison that the task was to clear would be cleared by a task that never writes. */
    @Test
    void onlyTheBodyCanGiveUpToOverwrite() {
        submitHolder();
        Task<?> task = graph.task("task").writes(x).adjustable().run(ctx -> ctx.demote(x, Access.read()));
        Task<?> part = graph.task("part")
                .accesses(x, Access.write(Area.of(0, 3)))
                .adjustable()
                .run(ctx -> {});
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> task.tryDemote(x, Access.read())),
                "task \"task\" cannot demote its access WRITE to \"x\" from outside",
                "declare it with updates");
        assertThrows(IllegalArgumentException.class, () -> part.tryDemote(x, Access.write(Area.of(0, 1))));
        gate.countDown();
        task.join();
        part.join();
    }

    @Test
    void aLongChainOfDemotedTasksNeedsNoDeepStack() {
        submitHolder();
        for (int i = 0; i < 20_000; i++) {
            graph.task("t" + i).updates(x).adjustable().run(ctx -> {}).tryDemote(x, Access.none());
        }
        gate.countDown();
        graph.await();
        assertEquals(20_001, graph.report().done());
    }

    @Test
    void aDemotedTaskThatIsCancelledKeepsThePoisonForOthers() {
        graph.task("bad").updates(x).run(ctx -> {
            Watchdog.await(gate, "the gate opens");
            throw new IllegalStateException("no");
        });
        Task<?> between = graph.task("between").updates(x).adjustable().run(ctx -> {});
        between.tryDemote(x, Access.none());
        Task<?> reader = graph.task("reader").reads(x).run(ctx -> {});
        gate.countDown();
        assertThrows(TaskFailedException.class, graph::await);
        assertEquals(TaskState.CANCELLED, reader.state());
        Task<?> late = graph.task("late").reads(x).run(ctx -> {});
        assertThrows(TaskFailedException.class, late::join);
        graph.await();
    }

    @Test
    void whatWasGivenUpIsNotPoisoned() {
        CountDownLatch submitted = new CountDownLatch(1);
        graph.task("bad").updates(x).run(ctx -> {
            Watchdog.await(submitted, "the writer is submitted");
            ctx.demote(x, Access.read());
            throw new IllegalStateException("no");
        });
        Task<?> writer = graph.task("writer").updates(x).run(ctx -> {});
        submitted.countDown();
        writer.join();
        assertThrows(TaskFailedException.class, graph::await);
    }

    /** A later access that stood for a demoted one in the tracker does not stand for what is left of it by itself. */
    @Test
    void whoStandsForADemotedAccessWaitsForWhatIsLeftOfIt() {
        AccessTable table = AccessTable.of(
                List.of(
                        new Kind("update", true, true),
                        new Kind("append", true, true),
                        new Kind("read", true, false),
                        new Kind("none", false, false)),
                new boolean[][] {
                    // update, append, read, none
                    {true, false, true, false},
                    {false, false, true, false},
                    {true, true, false, false},
                    {false, false, false, false}
                });
        AtomicBoolean over = new AtomicBoolean();
        CountDownLatch demoted = new CountDownLatch(1);
        graph.task("first").accesses(x, table.entry("update")).run(ctx -> {
            ctx.demote(x, table.entry("append"));
            demoted.countDown();
            Watchdog.await(gate, "the gate opens");
            over.set(true);
        });
        graph.task("second").accesses(x, table.entry("update")).run(ctx -> {});
        Task<?> reader =
                graph.task("reader").accesses(x, table.entry("read")).run(ctx -> assertTrue(over.get(), "too early"));
        Watchdog.await(demoted, "the first is demoted");
        Task<?> probe = graph.task("probe").run(ctx -> {});
        probe.join();
        gate.countDown();
        reader.join();
    }

    @Test
    void aSubTaskKeepsItsParentFromGivingUpAnUnorderedResource() {
        Resource board = session.unordered("board");
        graph.task("parent")
                .updates(board)
                .run(ctx -> {
                    ctx.refine(
                            sub -> sub.task("child").updates(board).run(c -> Watchdog.await(gate, "the gate opens")));
                    assertMentions(
                            assertThrows(IllegalStateException.class, () -> ctx.demote(board, Access.none())),
                            "its sub-task \"child\" still needs UPDATE board");
                    gate.countDown();
                })
                .join();
    }

    @Test
    void whoGivesUpAnUnorderedResourceLetsTheNextGoAtOnce() {
        Resource board = session.unordered("board");
        CountDownLatch other = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch waits = new CountDownLatch(1);
        Task<?> holder = graph.task("holder").updates(board).run(ctx -> {
            held.countDown();
            Watchdog.await(waits, "the other waits");
            ctx.demote(board, Access.none());
            Watchdog.await(other, "the other runs");
        });
        // The order of tasks that use an unordered resource is open until one of them has it.
        Watchdog.await(held, "the holder runs");
        Task<?> next = graph.task("next").updates(board).run(ctx -> other.countDown());
        Watchdog.until(() -> next.state() == TaskState.READY, "the next is ready");
        waits.countDown();
        holder.join();
        next.join();
    }

    @Test
    void poisonOfUnorderedResourcesIsTakenAwayOneByOne() {
        Handle<int[]> one = session.wrap("one", new int[1], session.unordered("lock of one"));
        Handle<int[]> other = session.wrap("other", new int[1], session.unordered("lock of other"));
        Task<?> bad = graph.task("bad").updates(one).updates(other).run(ctx -> {
            throw new IllegalStateException("no");
        });
        assertThrows(TaskFailedException.class, bad::join);
        graph.task("anew").writes(one).run(ctx -> {}).join();
        graph.task("reads one").reads(one).run(ctx -> {}).join();
        assertThrows(
                TaskFailedException.class,
                graph.task("reads other").reads(other).run(ctx -> {})::join);
        graph.task("other anew").writes(other).run(ctx -> {}).join();
        graph.task("reads other").reads(other).run(ctx -> {}).join();
        graph.await();
    }

    @Test
    void subTasksOfAPendingTaskNeedNotWaitForItsBody() {
        submitHolder();
        AtomicInteger parts = new AtomicInteger();
        Task<?> task = graph.task("task")
                .updates(x)
                .adjustable()
                .run(ctx -> Watchdog.until(() -> parts.get() == 2, "both parts run beside the body"));
        task.tryRefine(sub -> {
            sub.task("one").reads(x).run(c -> parts.incrementAndGet());
            sub.task("other").reads(x).run(c -> parts.incrementAndGet());
        });
        gate.countDown();
        task.join();
    }
}
