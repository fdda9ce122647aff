package dev.jacquard.expressions.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.graph.RunSnapshot.TaskView;
import dev.jacquard.core.graph.UserView;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The place of a view that the files of fields open: the user's call. */
class ViewSiteTest {
    private static final Tag<Cell> U = Tag.cell("u");

    @TempDir
    Path folder;

    @Test
    void aViewNamesTheCallOfTheUser() throws Exception {
        try (Session session = Session.builder().workers(2).checking().open();
                FieldStore fields = FieldStore.open(session, Grid.of(4))) {
            fields.set(U, (x, y, z) -> x);
            CompletableFuture<String> written;
            try (UserView _ = session.data().open(fields.field(U).data(), Mode.UPDATE)) {
                written = CompletableFuture.supplyAsync(() -> write(fields));
                Watchdog.until(() -> !waiting(session).isEmpty(), "a second view");
                String details = waiting(session).getFirst();
                assertTrue(
                        details.contains("submitted at " + ViewSiteTest.class.getName() + ".write(ViewSiteTest.java:"),
                        details);
            }
            assertEquals("written", written.get());
        }
    }

    private static List<String> waiting(Session session) {
        return session.snapshot().tasks().stream()
                .filter(task -> task.details().startsWith("READ u"))
                .map(TaskView::details)
                .toList();
    }

    private String write(FieldStore fields) {
        try {
            fields.files().npy(U, folder.resolve("u.npy"));
            return "written";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
