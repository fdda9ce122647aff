package dev.jacquard.core.session;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.graph.FailurePolicy;
import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.graph.TaskState;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.memory.data.Resource;
import dev.jacquard.testkit.Watchdog;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks that wait for the first member of a tag, and members that would wait for them. */
@Timeout(180)
class AwaitedTagsTest {
    private final Session session = Session.open();
    private final TaskGraph graph = session.graph();

    /** Ends tasks that wait for a member, which a test that fails leaves behind. */
    @AfterEach
    void close() {
        graph.cancel();
        session.close();
    }

    private void assertRefused(TaskBuilder member, String... texts) {
        assertMentions(assertThrows(IllegalStateException.class, () -> member.run(ctx -> {})), texts);
    }

    /** Lets a task that comes behind no other have the tag; all is over then. */
    private void meetTag() {
        Task<?> member = graph.task("another member").tag("assemble").run(ctx -> {});
        graph.await();
        assertEquals(TaskState.DONE, member.state());
        assertEquals(graph.report().submitted(), graph.report().done());
    }

    @Test
    void theHistoryKnowsThatTheMemberWasBeforeTheTaskThatWaitedForIt() {
        try (Session kept = Session.builder().workers(2).keepGraphs().open()) {
            TaskGraph past = kept.graph();
            Resource x = kept.resource("x");
            past.task("waits")
                    .updates(x)
                    .afterTag("t", Task.TagMembers.MAY_STILL_COME)
                    .run(ctx -> ctx.refine(inside -> inside.task("inside").run(each -> {})));
            past.task("behind").reads(x).run(ctx -> {});
            past.task("member").tag("t").run(ctx -> {});
            past.await();
            GraphSnapshot history = past.history();
            assertEquals(
                    List.of("member", "waits", "behind", "inside"),
                    history.tasks().stream().map(GraphSnapshot.Task::name).toList());
            assertEquals(
                    Set.of("0 -> 1 TAG tag t", "1 -> 2 IMPLICIT x"),
                    history.edges().stream()
                            .map(edge ->
                                    edge.earlier() + " -> " + edge.later() + ' ' + edge.kind() + ' ' + edge.label())
                            .collect(Collectors.toSet()));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 30_000})
    void theFirstMemberIsWaitedForHoweverManyTagsThereWere(int others) {
        for (int i = 0; i < others; i++) {
            graph.task("step").tag("step " + i).run(ctx -> {});
        }
        Task<?> use = graph.task("use")
                .afterTag("result", Task.TagMembers.MAY_STILL_COME)
                .run(ctx -> {});
        Task<?> known = graph.task("known")
                .afterTag("step 0", Task.TagMembers.MAY_STILL_COME)
                .run(ctx -> {});
        known.join();
        assertEquals(TaskState.PENDING, use.state());
        assertEquals(
                1,
                graph.snapshot().tasks().stream()
                        .filter(task -> task.name().equals("use"))
                        .count());
        graph.task("make").tag("result").run(ctx -> {});
        use.join();
        graph.task("typo").afterTag("stpe 3").run(ctx -> {});
        graph.await();
        assertEquals(List.of("stpe 3"), graph.report().tagsWithoutMembers());
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 30_000})
    void aTagOfTasksOutsideIsRefusedInsideHoweverManyTagsThereWere(int others) {
        for (int i = 0; i < others; i++) {
            graph.task("step").tag("step " + i).run(ctx -> {});
        }
        graph.task("member").tag("assemble").run(ctx -> {});
        Task<?> outer = graph.task("outer")
                .run(ctx -> ctx.refine(
                        inside -> inside.task("inner").afterTag("assemble").run(each -> {})));
        assertMentions(
                assertThrows(TaskFailedException.class, outer::join),
                "task \"inner\" cannot come after the tag \"assemble\", which tasks outside of \"outer\" have");
    }

    @Test
    void manyTasksWaitForTagsOfTheirOwn() {
        List<Task<?>> waiting = new java.util.ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            waiting.add(graph.task("waits")
                    .afterTag("tag " + i % 1_000, Task.TagMembers.MAY_STILL_COME)
                    .run(ctx -> {}));
        }
        for (int i = 0; i < 1_000; i++) {
            Task<?> member = graph.task("member").tag("tag " + i).run(ctx -> {});
            member.join();
            waiting.get(i).join();
            waiting.get(i + 1_000).join();
            if (i < 999) {
                assertEquals(TaskState.PENDING, waiting.get(i + 1).state());
            }
        }
        graph.await();
    }

    /** Behind the body no block can begin that submits one. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aWaitInsideOfATaskEndsWithItsBody(boolean fails) {
        Task<?> outer = graph.task("outer")
                .run(ctx -> ctx.refine(inside -> {
                    inside.task("solve")
                            .afterTag("assemble", Task.TagMembers.MAY_STILL_COME)
                            .run(each -> {});
                    if (fails) {
                        throw new IllegalStateException("before the member");
                    }
                }));
        if (fails) {
            assertMentions(assertThrows(TaskFailedException.class, outer::join), "before the member");
        } else {
            outer.join();
            assertMentions(new AssertionError(graph.report()), "assemble");
        }
    }

    @Test
    void insideOfATaskOnlyMembersInThereAreWaitedFor() {
        graph.task("member").tag("assemble").run(ctx -> {});
        Task<?> without = graph.task("without")
                .run(ctx -> ctx.refine(
                        inside -> inside.task("solve").afterTag("assemble").run(each -> {})));
        assertMentions(
                assertThrows(TaskFailedException.class, without::join),
                "task \"solve\" cannot come after the tag \"assemble\", "
                        + "which tasks outside of \"without\" have: a task"
                        + " inside of another one waits for members inside of that alone; let \"without\" come after the"
                        + " tag");
        graph.task("with")
                .afterTag("assemble")
                .run(ctx -> ctx.refine(
                        inside -> inside.task("solve").afterTag("assemble").run(each -> {})));
        graph.task("own")
                .run(ctx -> ctx.refine(inside -> {
                    inside.task("member").tag("assemble").run(each -> {});
                    inside.task("solve").afterTag("assemble").run(each -> {});
                }));
        graph.await();
    }

    @Test
    void aFirstMemberThatWouldWaitForATaskThatWaitsForItIsRefused() {
        Resource x = session.resource("x");
        graph.task("solve")
                .updates(x)
                .afterTag("assemble", Task.TagMembers.MAY_STILL_COME)
                .run(ctx -> {});
        assertRefused(
                graph.task("late").updates(x).tag("assemble"),
                "task \"late\" of graph \"main\" would never start: it has the tag \"assemble\", for whose first member"
                        + " task \"solve\" waits, and it comes after that one (UPDATE x after UPDATE)");
        meetTag();
    }

    @Test
    void aFirstMemberThatWouldWaitThroughTasksOfOtherGraphsIsRefused() {
        Resource x = session.resource("x");
        Resource y = session.resource("y");
        graph.task("solve")
                .updates(x)
                .afterTag("assemble", Task.TagMembers.MAY_STILL_COME)
                .run(ctx -> {});
        TaskGraph other = session.graph("other", FailurePolicy.CONTINUE);
        Task<?> between = other.task("between").reads(x).updates(y).run(ctx -> {});
        assertRefused(
                graph.task("late").reads(y).tag("assemble"),
                "it comes after \"between\" (READ y after UPDATE), which waits for \"solve\";");
        assertRefused(graph.task("late").after(between).tag("assemble"), "it comes after \"between\" (explicitly)");
        other.task("barrier").flag(Flag.SYNCHRONIZING).run(ctx -> {});
        Task<?> behind = other.task("behind").run(ctx -> {});
        assertRefused(graph.task("late").after(behind).tag("assemble"), "it comes after \"behind\" (explicitly)");
        meetTag();
        other.await();
    }

    @Test
    void aFirstMemberBehindABarrierThatWaitsForTheWaitingTaskIsRefused() {
        graph.task("solve").afterTag("assemble", Task.TagMembers.MAY_STILL_COME).run(ctx -> {});
        assertRefused(
                graph.task("late").tag("assemble").flag(Flag.SYNCHRONIZING), "it comes after that one (as a barrier)");
        graph.task("barrier").flag(Flag.SYNCHRONIZING).run(ctx -> {});
        assertRefused(
                graph.task("late").tag("assemble"),
                "it comes after \"barrier\" (a barrier), which waits for \"solve\"");
        graph.cancel();
        assertThrows(CancellationException.class, graph::await);
        assertEquals(2, graph.report().cancelled());
    }

    @Test
    void aFirstMemberBehindABarrierBeforeTheWaitingTaskIsNotRefused() {
        CountDownLatch goOn = new CountDownLatch(1);
        graph.task("held").run(ctx -> Watchdog.await(goOn, "the submissions"));
        graph.task("barrier").flag(Flag.SYNCHRONIZING).run(ctx -> {});
        graph.task("solve").afterTag("assemble", Task.TagMembers.MAY_STILL_COME).run(ctx -> {});
        graph.task("member").tag("assemble").run(ctx -> {});
        goOn.countDown();
        meetTag();
    }

    @Test
    void twoTagsWhoseFirstMembersWouldWaitForEachOtherAreRefused() {
        graph.task("solve")
                .tag("solve")
                .afterTag("assemble", Task.TagMembers.MAY_STILL_COME)
                .run(ctx -> {});
        assertRefused(
                graph.task("late").tag("assemble").afterTag("solve"),
                "it comes after that one (after tag solve after has)");
        Task<?> refined = graph.task("refined")
                .tag("assemble")
                .afterTag("mesh", Task.TagMembers.MAY_STILL_COME)
                .run(ctx -> {});
        assertRefused(
                graph.task("mesh").tag("mesh").afterTag("solve"),
                "for whose first member task \"refined\" waits",
                "it comes after \"solve\" (after tag solve after has), which waits for \"refined\"");
        graph.task("mesh").tag("mesh").run(ctx -> {});
        meetTag();
        assertEquals(TaskState.DONE, refined.state());
    }

    @Test
    void aFirstMemberInsideATaskMayComeAfterWhatComesAfterThatTaskOutside() {
        Resource x = session.resource("x");
        CountDownLatch goOn = new CountDownLatch(1);
        graph.task("outer").updates(x).run(ctx -> {
            Watchdog.await(goOn, "the submissions");
            ctx.refine(inside -> {
                inside.task("solve")
                        .reads(x)
                        .afterTag("assemble", Task.TagMembers.MAY_STILL_COME)
                        .run(z -> {});
                assertRefused(inside.task("late").updates(x).tag("assemble"), "it comes after that one");
                inside.task("member").reads(x).tag("assemble").run(z -> {});
            });
        });
        graph.task("behind").updates(x).run(ctx -> {});
        goOn.countDown();
        meetTag();
    }
}
