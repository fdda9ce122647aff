package dev.jacquard.core.stress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.jacquard.core.graph.TaskBody;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Handle;
import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Submission against completion, and completions against each other. Needs: the CAS and the getAndSet on a task's
 * links, the getAndAdd of commit and of countDown, the monitor of a graph's failures.
 */
class GraphStressTest {
    /** The submitter links each task behind one that is about to end. */
    @Test
    void noLinkAndNoCountIsLostBetweenSubmissionAndEnd() {
        within(session -> {
            Handle<int[]> x = session.wrap("x", new int[1]);
            int[] tasks = {0};
            Rounds.run(20_000, round -> {
                for (int i = 0; i < 1 + round % 16; i++, tasks[0]++) {
                    session.graph().task("t").updates(x).run(context -> context.get(x)[0]++);
                    Rounds.drift(round + i);
                }
                Watchdog.until(session.graph()::isOver, "all tasks of the round end");
            });
            assertEquals(tasks[0], x.value()[0]);
        });
    }

    /** Two tasks that meet first, and so end together, let a third one go. */
    @Test
    void tasksThatEndTogetherLetTheNextGoOnce() {
        within(session -> {
            TaskGraph graph = session.graph();
            Handle<int[]> x = session.wrap("x", new int[1]);
            Handle<int[]> y = session.wrap("y", new int[1]);
            AtomicInteger ran = new AtomicInteger();
            Rounds.run(50_000, round -> {
                TaskBody meeting = meeting(round);
                graph.task("left").updates(x).run(meeting);
                graph.task("right").updates(y).run(meeting);
                graph.task("both").reads(x).reads(y).run(context -> ran.incrementAndGet());
                graph.await();
                assertEquals(round, ran.get());
            });
        });
    }

    @Test
    void tasksThatFailTogetherAreBothReported() {
        within(session -> {
            Rounds.run(20_000, round -> {
                TaskBody meeting = meeting(round % 8);
                TaskBody failing = context -> {
                    meeting.run(context);
                    throw new Planned();
                };
                TaskGraph graph = session.graph();
                graph.task("left").run(failing);
                graph.task("right").run(failing);
                TaskFailedException thrown = assertThrows(TaskFailedException.class, graph::await);
                assertEquals(1, thrown.getSuppressed().length, "in round " + round);
            });
        });
    }

    /** A body that ends when a second task runs it too. */
    private static TaskBody meeting(int round) {
        AtomicInteger there = new AtomicInteger();
        return context -> {
            if (there.incrementAndGet() == 1) {
                Watchdog.until(() -> there.get() == 2, "the other task runs");
                Rounds.drift(round);
            }
        };
    }

    /** A session is not closed when the test fails: what hangs would hang its close. */
    private static void within(Consumer<Session> test) {
        assertTimeoutPreemptively(
                Watchdog.LIMIT,
                () -> {
                    Session session = Session.builder().workers(2).open();
                    test.accept(session);
                    session.close();
                },
                "a task is lost");
    }

    private static final class Planned extends Exception {
        private static final long serialVersionUID = 1;

        Planned() {
            super("planned", null, false, false);
        }
    }
}
