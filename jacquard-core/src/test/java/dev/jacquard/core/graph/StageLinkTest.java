package dev.jacquard.core.graph;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.core.session.Session;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Links that complete futures when tasks are over. */
@Timeout(180)
class StageLinkTest {
    @Test
    void aHeapThatIsFullWhereTheStageIsToldEndsTheRun() {
        Session session = Session.builder().workers(2).open();
        TaskGraph graph = session.graph();
        CompletableFuture<Void> holds = new CompletableFuture<>();
        Task<?> its = graph.task("its").start(ctx -> holds);
        var _ = StageLink.of(((ValueResult<?>) its).task(), () -> {
            throw new OutOfMemoryError("no room");
        });
        holds.complete(null);
        Throwable told = assertThrows(
                IllegalStateException.class, () -> session.executor().awaitUntil(() -> false));
        assertMentions(told, "stage of task \"its\"", "no room");
        assertThrows(IllegalStateException.class, session::close);
    }
}
