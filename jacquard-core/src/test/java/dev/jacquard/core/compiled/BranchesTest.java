package dev.jacquard.core.compiled;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Graphs with branches, as they are built. */
@Timeout(180)
class BranchesTest {
    private final Session session = Session.builder().workers(1).open();

    @AfterEach
    void close() {
        session.close();
    }

    /** Whether a task is in a branch is not looked for among all tasks: that would take more than a minute here. */
    @Test
    void aBranchMayHaveVeryManyTasks() {
        int tasks = 400_000;
        AtomicInteger ran = new AtomicInteger();
        CompiledGraphBuilder builder = session.compile("wide");
        int chooser = builder.choose("which", 2, context -> 1);
        for (int i = 0; i < tasks; i++) {
            builder.guard(chooser, 1, builder.task("t", context -> ran.incrementAndGet()));
        }
        CompiledGraph graph = builder.build();
        graph.run();
        assertEquals(tasks, ran.get());
        assertEquals(1, graph.shown().drawn().get(tasks).chosenBy().get(chooser));
    }

    private CompiledGraph refusing() {
        CompiledGraphBuilder builder = session.compile("once");
        builder.task("t", context -> {});
        return builder.build();
    }

    private static void assertSideBySide(CompiledGraphBuilder builder, String one, String other) {
        assertMentions(
                assertThrows(IllegalArgumentException.class, builder::build),
                '"' + one + '"',
                '"' + other + '"',
                "\"once\" at the same time",
                "CompiledGraph.OverlapRule.QUEUE");
    }

    /** The second excludes the first and the third, which nothing orders. */
    @Test
    void usesOfAGraphThatAreNotNeighboursMayRunSideBySideToo() {
        CompiledGraph once = refusing();
        CompiledGraphBuilder builder = session.compile("outer");
        int chooser = builder.choose("which", 2, context -> 0);
        int[] branches = {0, 1, 0};
        List<String> names = List.of("first", "second", "third");
        for (int i = 0; i < 3; i++) {
            builder.guard(chooser, branches[i], builder.graph(names.get(i), once));
        }
        assertSideBySide(builder, "first", "third");
    }

    @Test
    void aUseOutsideOfBranchesMayRunBesideOneInABranch() {
        CompiledGraph once = refusing();
        CompiledGraphBuilder builder = session.compile("outer");
        int chooser = builder.choose("which", 2, context -> 0);
        int zero = builder.graph("zero", once);
        builder.guard(chooser, 0, zero);
        int one = builder.graph("one", once);
        builder.guard(chooser, 1, one);
        int all = builder.graph("all", once);
        builder.edge(one, all, true);
        assertSideBySide(builder, "zero", "all");
    }

    @Test
    void usesInBranchesOfBranchesExcludeEachOther() {
        CompiledGraph once = refusing();
        CompiledGraphBuilder builder = session.compile("outer");
        int outer = builder.choose("which", 2, context -> 0);
        int inner = builder.choose("and then", 2, context -> 0);
        builder.guard(outer, 0, inner);
        builder.guard(inner, 1, builder.graph("within", once));
        builder.guard(outer, 1, builder.graph("other", once));
        builder.build().run();
    }

    @Test
    void manyUsesOneBehindTheOtherAreFine() {
        CompiledGraph once = refusing();
        CompiledGraphBuilder builder = session.compile("outer");
        List<Integer> uses = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            uses.add(builder.graph("use", once));
            if (i > 0) {
                builder.edge(uses.get(i - 1), uses.get(i), true);
            }
        }
        builder.build().run();
    }

    private CompiledGraph queueing(CompiledGraph once) {
        CompiledGraphBuilder builder = session.compile("queue").whenBusy(CompiledGraph.OverlapRule.QUEUE);
        builder.graph("use", once);
        return builder.build();
    }

    @Test
    void usesInsideOfAGraphThatQueuesDoNotMeet() {
        CompiledGraph queue = queueing(refusing());
        CompiledGraph around = queueing(queue);
        CompiledGraphBuilder builder = session.compile("outer");
        builder.graph("first", queue);
        builder.graph("second", queue);
        builder.graph("third", around);
        builder.build().run();
    }

    @Test
    void usesInsideOfTwoGraphsThatQueueMayMeet() {
        CompiledGraph once = refusing();
        CompiledGraph queue = queueing(once);
        CompiledGraphBuilder beside = session.compile("outer");
        beside.graph("first", queue);
        beside.graph("second", queueing(once));
        assertSideBySide(beside, "first", "second");
        CompiledGraphBuilder direct = session.compile("outer");
        direct.graph("first", queue);
        direct.graph("second", once);
        assertSideBySide(direct, "first", "second");
    }
}
