package dev.jacquard.core.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.Flag;
import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskGraph;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.data.Resource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Trees of resources, resources without order, explicit edges, tags, flags. */
class OrderTest {
    private final Session session = Session.builder().workers(2).open();
    private final TaskGraph graph = session.graph();
    private final List<String> ran = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void aPartConflictsWithItsWholeAndNotWithOtherParts() {
        Resource u = session.resource("u");
        Resource even = session.resource("u.even", u);
        Resource odd = session.resource("u.odd", u);
        graph.task("step 1").reads(even).updates(odd).run(ctx -> ran.add("1"));
        graph.task("step 2").reads(odd).updates(even).run(ctx -> ran.add("2"));
        graph.task("save").reads(u).run(ctx -> ran.add("save")); // after both
        graph.await();
        assertEquals(List.of("1", "2", "save"), ran);
    }

    @Test
    void unorderedTasksExcludeEachOther() {
        Resource log = session.unordered("log");
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            graph.task("line").updates(log).run(ctx -> lines.append('x')); // one at a time, in any order
        }
        graph.await();
        assertEquals(100, lines.length());
    }

    @Test
    void disjointAreasWithoutOrderRunTogether() {
        Resource board = session.unordered("board");
        CountDownLatch both = new CountDownLatch(2);
        for (Area area : List.of(Area.of(0, 4), Area.of(5, 9))) {
            graph.task("tile").accesses(board, Access.update(area)).run(ctx -> {
                both.countDown();
                assertTrue(both.await(10, TimeUnit.SECONDS));
            });
        }
        graph.await();
    }

    @Test
    void edgesAndTags() {
        Task<?> compile = graph.task("compile").run(ctx -> ran.add("compile"));
        graph.task("link").after(compile).run(ctx -> ran.add("link"));
        graph.await();
        for (int i = 0; i < 3; i++) {
            graph.task("assemble " + i).tag("assemble").run(ctx -> ran.add("a"));
        }
        graph.task("solve").afterTag("assemble").run(ctx -> ran.add("solve"));
        graph.await();
        assertEquals(List.of("compile", "link", "a", "a", "a", "solve"), ran);
    }

    @Test
    void flags() {
        Thread main = Thread.currentThread();
        graph.task("before").run(ctx -> ran.add("before"));
        graph.task("barrier").flag(Flag.SYNCHRONIZING).run(ctx -> ran.add("barrier"));
        graph.task("send")
                .flag(Flag.MAIN_THREAD, Flag.named("urgent"))
                .run(ctx -> ran.add(Thread.currentThread() == main ? "main" : "other"));
        graph.await();
        assertEquals(List.of("before", "barrier", "main"), ran);
    }
}
