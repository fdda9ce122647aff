package dev.jacquard.components.program;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Folders that several parts of a program write to, and parents that several runs make. */
class SharedFoldersTest {
    /** Parts have folders, so that they may write files of one name. */
    @Test
    void partsWriteFilesOfOneName(@TempDir Path here) throws IOException {
        Path out = here.resolve("out");
        try (OutputFolder folder = OutputFolder.open(out)) {
            for (String name : List.of("one", "two")) {
                OutputFolder part = folder.forPart(name, Set.of("report.json"));
                Files.writeString(part.file("sub/a.txt"), name);
                Files.writeString(part.file("report.json"), "of part " + name);
                Files.writeString(part.kept("state"), "kept by " + name);
                assertEquals(out.resolve(name), part.folder());
                assertEquals(folder.unfinished().resolve(name), part.unfinished());
                assertThrows(IllegalArgumentException.class, () -> part.file("../a.txt"));
            }
            Files.writeString(folder.file("report.json"), "of the program");
            assertEquals(
                    List.of("one/sub/a.txt", "one/report.json", "two/sub/a.txt", "two/report.json", "report.json"),
                    folder.staged());
            assertEquals(List.of("one", "two"), folder.keepers());
            folder.commit();
        }
        for (String name : List.of("one", "two")) {
            assertEquals(name, Files.readString(out.resolve(name).resolve("sub/a.txt")));
            assertEquals("of part " + name, Files.readString(out.resolve(name).resolve("report.json")));
            assertEquals("kept by " + name, Files.readString(out.resolve(name).resolve("state")));
        }
        assertEquals("of the program", Files.readString(out.resolve("report.json")));
    }

    @Test
    void aFileIsNoFolder(@TempDir Path here) throws IOException {
        try (OutputFolder folder = OutputFolder.open(here.resolve("out"))) {
            OutputFolder one = folder.forOnlyPart("one", Set.of("report.json", "checkpoint.files"));
            assertTrue(one.file("a/b/c.txt").endsWith("a/b/c.txt"));
            one.file("a/b/d.txt");
            one.file("e");
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> one.file("a/b")),
                    "the output file 'a/b' and 'a/b/c.txt' cannot both be there: one is a folder for the other;"
                            + " expected another name");
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> one.kept("e/f")),
                    "'e/f' and 'e' cannot both be there");
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> one.file("report.json/x")), "the program itself");
            assertMentions(
                    assertThrows(IllegalStateException.class, () -> one.kept("checkpoint.files/lock")),
                    "the program itself");
            one.file("a/x.txt");
            Path kept = one.kept("sub/y");
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

    /** The folder is not there for a moment, while one run has moved it aside. */
    @Test
    void runsPutTheirFilesInOnePlaceAtTheSameTime(@TempDir Path here) throws Exception {
        Path out = Files.createDirectory(here.resolve("out"));
        Files.writeString(out.resolve("earlier"), "stays");
        List<FutureTask<Boolean>> runs = new ArrayList<>();
        for (String name : List.of("x", "y", "z")) {
            FutureTask<Boolean> run = new FutureTask<>(() -> {
                for (int i = 0; i < 100; i++) {
                    commit(out, name, i);
                }
                return true;
            });
            runs.add(run);
            Thread.ofPlatform().start(run);
        }
        for (FutureTask<Boolean> run : runs) {
            assertTrue(run.get());
        }
        for (String name : List.of("x", "y", "z")) {
            assertEquals("99", Files.readString(out.resolve("of " + name)), "the last one of " + name);
        }
        assertEquals("stays", Files.readString(out.resolve("earlier")));
        assertEquals(Files.readString(out.resolve("a")), Files.readString(out.resolve("b")));
        try (Stream<Path> left = Files.list(here)) {
            assertEquals(List.of(out), left.toList());
        }
    }

    /** A new file replaces the link to a folder, and nothing where that leads. */
    @Test
    void whatLinksLeadToStays(@TempDir Path here) throws Exception {
        Path elsewhere = Files.createDirectory(here.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("x"), "of the user");
        Path out = Files.createDirectory(here.resolve("out"));
        Files.createSymbolicLink(out.resolve("sub"), elsewhere);
        Files.writeString(out.resolve("earlier"), "stays");
        try (OutputFolder folder = OutputFolder.open(out)) {
            Files.writeString(folder.file("sub/x"), "new");
            folder.commit();
        }
        assertEquals("new", Files.readString(out.resolve("sub/x")));
        assertEquals("of the user", Files.readString(elsewhere.resolve("x")));
        assertEquals("stays", Files.readString(out.resolve("earlier")));
    }

    /** Files without bytes of their own, or that cannot be read, cost no results, and no time. */
    @Test
    @Timeout(180)
    void linksThatLeadNowhereAndPipesArePutInPlace(@TempDir Path here) throws Exception {
        Path out = here.resolve("out");
        try (OutputFolder folder = OutputFolder.open(out)) {
            Files.createSymbolicLink(folder.file("dangling"), Path.of("nowhere"));
            String pipe = folder.file("pipe").toString();
            assertEquals(0, new ProcessBuilder("mkfifo", pipe).start().waitFor());
            Files.setPosixFilePermissions(Files.writeString(folder.file("closed"), "x"), Set.of());
            folder.commit();
        }
        for (String name : List.of("dangling", "pipe", "closed")) {
            assertTrue(Files.exists(out.resolve(name), LinkOption.NOFOLLOW_LINKS), name);
        }
    }

    private static void commit(Path out, String name, int number) throws IOException {
        try (OutputFolder folder = OutputFolder.open(out)) {
            for (String file : List.of("a", "b")) {
                Files.writeString(folder.file(file), name);
            }
            Files.writeString(folder.file("of " + name), String.valueOf(number));
            folder.commit();
        }
    }

    /** A new folder is not locked at once, and looks to another process as if it were a dead one's. */
    @Test
    void aFolderIsMadeAnewWhereAnotherProcessTakesItAway(@TempDir Path here) throws Exception {
        Path folders = Files.createDirectory(here.resolve("folders"));
        Path taker = Files.writeString(here.resolve("Taker.java"), """
                import java.nio.channels.FileChannel;
                import java.nio.file.*;

                int taken;

                void main(String[] folder) throws Exception {
                    IO.println("ready");
                    while (taken < 20) { // fewer than another process tries one behind the other
                        try (var roots = Files.newDirectoryStream(Path.of(folder[0]))) {
                            for (Path root : roots) take(root);
                        }
                    }
                }

                void take(Path root) {
                    Path lock = root.resolve("lock");
                    try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
                        if (channel.tryLock() != null) {
                            Files.delete(lock);
                            Files.delete(root);
                            taken++;
                        }
                    } catch (java.io.IOException e) {
                        // it is being made, or taken away
                    }
                }
                """);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        taker.toString(),
                        folders.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader told = process.inputReader()) {
            assertEquals("ready", told.readLine());
            while (process.isAlive()) {
                WorkFolder.make(folders, ".out.unfinished-").close();
            }
            assertEquals(0, process.waitFor());
        } finally {
            process.destroy();
        }
    }
}
