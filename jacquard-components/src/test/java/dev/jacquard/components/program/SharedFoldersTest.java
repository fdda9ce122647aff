package dev.jacquard.components.program;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders that several parts of a program write to, and parents that several runs make. */
class SharedFoldersTest {
    /** A name is a file or a folder; who has it is told. */
    @Test
    void aFileOfOnePartIsNoFolderOfAnother(@TempDir Path here) throws IOException {
        try (OutputFolder folder = OutputFolder.open(here.resolve("out"))) {
            OutputFolder one = folder.forPart("one", Set.of("report.json", "checkpoint.files"));
            OutputFolder two = folder.forPart("two", Set.of("report.json", "checkpoint.files"));
            assertTrue(one.file("a/b/c.txt").endsWith("a/b/c.txt"));
            one.file("a/b/d.txt");
            one.file("e");
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> two.file("a/b")),
                    "the output file 'a/b' and 'a/b/c.txt' cannot both be there",
                    "component 'one'");
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> two.kept("e/f")),
                    "'e/f' and 'e' cannot both be there",
                    "component 'one'");
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> two.file("report.json/x")), "the program itself");
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> two.kept("checkpoint.files/lock")),
                    "the program itself");
            two.file("a/x.txt");
            Path kept = two.kept("sub/y");
            Files.writeString(kept, "y");
        }
    }

    /** Of folders with one parent, which none of them finds. */
    @Test
    void runsMakeTheSameParentAtTheSameTime(@TempDir Path here) throws Exception {
        for (int i = 0; i < 50; i++) {
            Path parent = here.resolve("p" + i).resolve("q");
            List<FutureTask<Boolean>> opened = new ArrayList<>();
            for (String name : List.of("a", "b")) {
                FutureTask<Boolean> opens = new FutureTask<>(() -> {
                    try (OutputFolder folder = OutputFolder.open(parent.resolve(name))) {
                        Files.writeString(folder.file("x"), name);
                        folder.commit();
                        return true;
                    }
                });
                opened.add(opens);
                Thread.ofPlatform().start(opens);
            }
            for (FutureTask<Boolean> opens : opened) {
                assertTrue(opens.get());
            }
            assertEquals("b", Files.readString(parent.resolve("b").resolve("x")));
        }
    }
}
