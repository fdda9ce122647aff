package dev.jacquard.apps.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFolderTest {
    @TempDir
    Path parent;

    @Test
    void committedFilesAppearTogetherAndReplaceOlderOnes() throws IOException {
        Path out = Files.createDirectory(parent.resolve("out"));
        Files.writeString(out.resolve("a.txt"), "old");
        try (OutputFolder folder = OutputFolder.open(out)) {
            Files.writeString(folder.file("a.txt"), "new");
            Files.writeString(folder.file("b.txt"), "other");
            assertEquals("old", Files.readString(out.resolve("a.txt")));
            folder.commit();
        }
        assertEquals("new", Files.readString(out.resolve("a.txt")));
        assertEquals(List.of("a.txt", "b.txt"), names(out));
    }

    @Test
    void withoutCommitNothingIsLeft() throws IOException {
        Path out = parent.resolve("not/yet/there");
        try (OutputFolder folder = OutputFolder.open(out)) {
            Files.writeString(folder.file("a.txt"), "half");
        }
        assertEquals(List.of(), names(parent));
    }

    @Test
    void withoutCommitOlderFilesStay() throws IOException {
        Path out = Files.createDirectory(parent.resolve("out"));
        Files.writeString(out.resolve("a.txt"), "old");
        try (OutputFolder folder = OutputFolder.open(out)) {
            Files.writeString(folder.file("a.txt"), "half");
        }
        assertEquals("old", Files.readString(out.resolve("a.txt")));
        assertEquals(List.of("a.txt"), names(out));
    }

    @Test
    void aFileIsNoFolder() throws IOException {
        Path file = Files.writeString(parent.resolve("file"), "");
        InputException error = assertThrows(InputException.class, () -> OutputFolder.open(file));
        assertEquals(
                "the output folder " + file + " cannot be made: " + file + " is a file; give another folder with --out",
                error.getMessage());
        assertThrows(InputException.class, () -> OutputFolder.open(file.resolve("below")));
    }

    @Test
    void aFolderThatCannotBeWrittenIsRefused() {
        Path system = Path.of("/proc/jacquard");
        if (Files.isDirectory(Path.of("/proc"))) {
            InputException error = assertThrows(InputException.class, () -> OutputFolder.open(system));
            assertTrue(
                    error.getMessage().startsWith("the output folder /proc/jacquard cannot be written: "),
                    error.getMessage());
            assertFalse(Files.exists(system));
        }
    }

    @Test
    void aFolderInPlaceOfAFileIsRefused() throws IOException {
        Files.createDirectories(parent.resolve("a.txt"));
        try (OutputFolder folder = OutputFolder.open(parent)) {
            assertThrows(InputException.class, () -> folder.file("a.txt"));
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
