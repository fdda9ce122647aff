package dev.jacquard.core.graph;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.RunSnapshot.TaskView;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Handle;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The frame that stands for a submission, by the ways in which the user's code submits. */
class CallSiteTest {
    private static final String HERE = "submitted at " + CallSiteTest.class.getName() + '.';

    /** The only worker is the thread of the test: tasks stay until it waits. */
    private final Session session = Session.builder().workers(1).checking().open();

    private final Handle<int[]> x = session.wrap("x", new int[1]);

    @AfterEach
    void close() {
        session.close();
    }

    private void assertAllHere(String method, int tasks) {
        List<String> details = session.snapshot().tasks().stream()
                .filter(task -> !task.name().equals("outer"))
                .map(TaskView::details)
                .toList();
        assertEquals(tasks, details.size(), details::toString);
        assertTrue(details.stream().allMatch(text -> text.contains(HERE + method + '(')), details::toString);
    }

    @Test
    void graphs() {
        session.graph().task("one").updates(x).run(context -> {});
        session.graph("mine", FailurePolicy.CONTINUE).task("two").reads(x).call(context -> 1);
        assertAllHere("graphs", 2);
    }

    /** Frames of the JDK are not the user's. */
    @Test
    void methodsThatTheJdkCalls() {
        Consumer<TaskBody> submit = session.graph().task("one").updates(x)::run;
        Stream.<TaskBody>of(context -> {}).forEach(submit);
        assertAllHere("methodsThatTheJdkCalls", 1);
    }

    @Test
    void bodiesOfTasks() {
        session.graph().task("outer").run(context -> {
            session.graph("inner", FailurePolicy.CONTINUE).task("inner").run(other -> {});
            List<String> details = session.snapshot().tasks().stream()
                    .filter(task -> task.name().equals("inner"))
                    .map(TaskView::details)
                    .toList();
            assertTrue(details.getFirst().contains(HERE + "lambda$bodiesOfTasks$"), details::toString);
        });
        session.graph().await();
    }
}
