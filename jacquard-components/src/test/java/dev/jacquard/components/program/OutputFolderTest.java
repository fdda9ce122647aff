package dev.jacquard.components.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.testkit.Watchdog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
    void whatIsNeededUntilTheFilesAreInPlaceIsClosedThen() throws IOException {
        Path out = parent.resolve("out");
        List<String> seen = new ArrayList<>();
        for (boolean commits : new boolean[] {false, true}) {
            try (OutputFolder folder = OutputFolder.open(out)) {
                Files.writeString(folder.file("a.txt"), "new");
                folder.whenCommitted(() -> seen.add(Files.readString(out.resolve("a.txt"))));
                if (commits) {
                    folder.commit();
                }
            }
        }
        assertEquals(List.of("new"), seen);
    }

    @Test
    void namesStayInTheFolderAndMakeNoDetours() throws IOException {
        Path out = parent.resolve("out");
        try (OutputFolder folder = OutputFolder.open(out)) {
            for (String name : List.of("../a.txt", "/a.txt", "", ".", "sub/../..", "sub/../../out")) {
                String message = assertThrows(IllegalArgumentException.class, () -> folder.file(name))
                        .getMessage();
                assertTrue(String.valueOf(message).contains("'" + name + "' is not in the output folder"), message);
                assertThrows(IllegalArgumentException.class, () -> folder.kept(name));
            }
            OutputFolder one = folder.forOnlyPart("one", Set.of("b.txt"));
            assertEquals(folder.unfinished().resolve("a.txt"), one.file("sub/../a.txt"));
            assertThrows(IllegalStateException.class, () -> one.file("./b.txt"));
        }
    }

    @Test
    void foldersOfFilesAreMadeAndKeepTheirOtherFiles() throws IOException {
        Path out = parent.resolve("out");
        for (String name : List.of("sub/deep/a.txt", "sub/deep/b.txt", "sub/c.txt")) {
            try (OutputFolder folder = OutputFolder.open(out)) {
                Files.writeString(folder.file(name), name);
                folder.commit();
            }
        }
        assertEquals(List.of("c.txt", "deep"), names(out.resolve("sub")));
        assertEquals(List.of("a.txt", "b.txt"), names(out.resolve("sub/deep")));
        try (OutputFolder folder = OutputFolder.open(out)) {
            String message = assertThrows(InputException.class, () -> folder.file("sub/c.txt/d.txt"))
                    .getMessage();
            assertEquals(
                    "the output file " + out.resolve("sub/c.txt/d.txt") + " cannot be written: "
                            + out.resolve("sub/c.txt") + " is a file",
                    message);
        }
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

    /** Makes the remains of a killed process: its folders, without its lock. */
    private static Path leave(Path in, String name) throws IOException {
        Path root = Files.createDirectory(in.resolve("." + name + ".unfinished-killed"));
        Files.writeString(root.resolve("lock"), "");
        Files.createDirectory(root.resolve("files"));
        Files.writeString(root.resolve("files/a.txt"), "half");
        return root;
    }

    @Test
    void otherFilesAndPermissionsStay() throws IOException {
        Path out = Files.createDirectory(parent.resolve("out"));
        Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("rwxr-x---"));
        Files.writeString(out.resolve("notes.txt"), "mine");
        Files.createDirectory(out.resolve("more"));
        Files.writeString(out.resolve("more/deep.txt"), "mine too");
        try (OutputFolder folder = OutputFolder.open(out)) {
            Files.writeString(folder.file("a.txt"), "new");
            folder.commit();
        }
        assertEquals(List.of("a.txt", "more", "notes.txt"), names(out));
        assertEquals("mine too", Files.readString(out.resolve("more/deep.txt")));
        assertEquals("rwxr-x---", PosixFilePermissions.toString(Files.getPosixFilePermissions(out)));
        assertEquals(List.of("out"), names(parent));
    }

    /** A rename shows all files at once: the folder itself is another one. */
    @Test
    void theFolderIsReplacedByOneThatIsComplete() throws IOException {
        Path out = Files.createDirectory(parent.resolve("out"));
        Object before = Files.getAttribute(out, "unix:ino");
        try (OutputFolder folder = OutputFolder.open(out)) {
            Files.writeString(folder.file("a.txt"), "new");
            folder.commit();
        }
        assertNotEquals(before, Files.getAttribute(out, "unix:ino"));
    }

    @Test
    void whatDeadProcessesLeftIsTakenAway() throws IOException {
        leave(parent, "out");
        leave(parent, "other");
        try (OutputFolder living = OutputFolder.open(parent.resolve("out"))) {
            try (OutputFolder folder = OutputFolder.open(parent.resolve("out"))) {
                Files.writeString(folder.file("a.txt"), "new");
                folder.commit();
            }
            Files.writeString(living.file("a.txt"), "newer"); // was not taken for dead
            living.commit();
        }
        assertEquals(List.of(".other.unfinished-killed", "out"), names(parent));
        assertEquals("newer", Files.readString(parent.resolve("out/a.txt")));
    }

    /** Else a run of another process would take away what a run of this one writes. */
    @Test
    void aRunKeepsItsLockWhenTheProcessBeginsAnother() throws IOException {
        assumeTrue(Files.isReadable(SystemLocks.FILE), "the locks of the system cannot be seen");
        try (OutputFolder first = OutputFolder.open(parent.resolve("out"))) {
            Object inode = Files.getAttribute(first.unfinished().resolveSibling("lock"), "unix:ino");
            String entry = ":" + inode + " ";
            Watchdog.until(() -> SystemLocks.have(entry), "the lock is taken");
            OutputFolder.open(parent.resolve("out")).close();
            Watchdog.until(() -> SystemLocks.have(entry), "the lock is there");
        }
    }

    @Test
    void earlierResultsThatAKilledProcessHadMovedAsideGoBack() throws IOException {
        Path root = leave(parent, "out");
        Files.createDirectory(root.resolve("before"));
        Files.writeString(root.resolve("before/a.txt"), "old");
        try (OutputFolder folder = OutputFolder.open(parent.resolve("out"))) {
            assertEquals("old", Files.readString(parent.resolve("out/a.txt")));
            assertEquals(parent.resolve("out").toRealPath(), folder.folder());
        }
        assertEquals(List.of("out"), names(parent));
    }

    @Test
    void earlierResultsThatCouldNotBePutBackStayForTheNextRun() throws IOException {
        try (WorkFolder work = WorkFolder.make(parent, ".out.unfinished-")) {
            Path before = Files.createDirectory(work.nextBefore());
            Files.writeString(before.resolve("a.txt"), "old");
        }
        OutputFolder.open(parent.resolve("out")).close();
        assertEquals("old", Files.readString(parent.resolve("out/a.txt")));
        assertEquals(List.of("out"), names(parent));
    }

    @Test
    void otherFilesThatAKilledProcessHadMovedAsideGoBack() throws IOException {
        Path root = leave(parent, "out");
        Files.createDirectories(root.resolve("before/more"));
        Files.writeString(root.resolve("before/a.txt"), "old");
        Files.createDirectory(parent.resolve("out"));
        Files.writeString(parent.resolve("out/a.txt"), "new");
        OutputFolder.open(parent.resolve("out")).close();
        assertEquals(List.of("a.txt", "more"), names(parent.resolve("out")));
        assertEquals("new", Files.readString(parent.resolve("out/a.txt")));
        assertEquals(List.of("out"), names(parent));
    }

    @Test
    void aFolderThatIsNamedByALinkIsReplacedWhereItIs() throws IOException {
        Path real = Files.createDirectories(parent.resolve("real/out"));
        Path link = Files.createSymbolicLink(parent.resolve("link"), real);
        try (OutputFolder folder = OutputFolder.open(link)) {
            Files.writeString(folder.file("a.txt"), "new");
            folder.commit();
        }
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("new", Files.readString(real.resolve("a.txt")));
    }

    @Test
    void aLinkToNothingIsRefusedAtOnce() throws IOException {
        Path link = Files.createSymbolicLink(parent.resolve("link"), parent.resolve("gone"));
        for (Path folder : List.of(link, link.resolve("below"))) {
            InputException error = assertThrows(InputException.class, () -> OutputFolder.open(folder));
            assertEquals(
                    "the output folder " + folder + " cannot be made: " + link
                            + " is a link to something that is not there; make that, or give another folder with --out",
                    error.getMessage());
        }
        assertEquals(List.of("link"), names(parent));
    }

    @Test
    void aFolderThatCannotBeWrittenLeavesNothingBehind() throws IOException {
        Path out = Files.createDirectory(parent.resolve("out"));
        Files.setPosixFilePermissions(out, PosixFilePermissions.fromString("r-xr-xr-x"));
        assumeFalse(Files.isWritable(out), "this user may write everything");
        assertThrows(InputException.class, () -> OutputFolder.open(out));
        assertEquals(List.of("out"), names(parent));
    }

    /** A folder that gets another parent must be writable, so one with such a folder in it keeps its place. */
    @Test
    void aFolderWithAFolderThatCannotBeMovedKeepsItsPlace() throws IOException {
        Path out = Files.createDirectory(parent.resolve("out"));
        Path kept = Files.createDirectory(out.resolve("kept"));
        Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("r-xr-xr-x"));
        assumeFalse(Files.isWritable(kept), "this user may write everything");
        try (OutputFolder folder = OutputFolder.open(out)) {
            Files.writeString(folder.file("a.txt"), "new");
            folder.commit();
        }
        assertEquals(List.of("a.txt", "kept"), names(out));
        assertEquals(List.of("out"), names(parent));
    }

    @Test
    void whatIsAnotherUsersStaysInAStickyFolder() throws IOException {
        Path out = Files.createDirectory(parent.resolve("out"));
        Path file = Files.writeString(out.resolve("a.txt"), "old");
        int owner = (int) Files.getAttribute(out, "unix:uid");
        FileRights ofAnother = new FileRights(owner + 1);
        assertTrue(ofAnother.mayReplace(out, parent));
        Files.setAttribute(parent, "unix:mode", 01777);
        assertTrue(new FileRights(owner).mayReplace(out, parent));
        assertFalse(ofAnother.mayReplace(out, parent));
        assertTrue(ofAnother.mayMove(file, out));
        Files.setAttribute(parent, "unix:mode", 0777);
        Files.setAttribute(out, "unix:mode", 01777);
        assertFalse(ofAnother.mayReplace(out, parent));
        assertFalse(ofAnother.mayMove(file, out));
        assertTrue(new FileRights(owner).mayMove(file, out));
    }

    @Test
    void theCurrentFolderKeepsItsPlace() throws IOException {
        Path here = Path.of("").toAbsolutePath();
        Object before = Files.getAttribute(here, "unix:ino");
        String name = "output-folder-test-" + ProcessHandle.current().pid() + ".txt";
        String below = name + ".folder";
        try (OutputFolder folder = OutputFolder.open(Path.of(""))) {
            Files.writeString(folder.file(name), "new");
            folder.file(name + ".not-written");
            Files.writeString(
                    Files.createDirectory(folder.unfinished().resolve(below)).resolve("a.txt"), "deep");
            folder.commit();
            assertEquals("new", Files.readString(here.resolve(name)));
            assertEquals("deep", Files.readString(here.resolve(below).resolve("a.txt")));
        } finally {
            Files.deleteIfExists(here.resolve(name));
            Files.deleteIfExists(here.resolve(below).resolve("a.txt"));
            Files.deleteIfExists(here.resolve(below));
        }
        assertEquals(before, Files.getAttribute(here, "unix:ino"));
    }

    @Test
    void aFileIsWhollyWrittenOrAsItWas() throws IOException {
        Path file = Files.writeString(parent.resolve("trace.json"), "old");
        assertThrows(
                IOException.class,
                () -> WholeFile.write(file, out -> {
                    out.write("half");
                    throw new IOException("the disk is full");
                }));
        assertEquals("old", Files.readString(file));
        leave(parent, "trace.json");
        WholeFile.write(file, out -> out.write("new"));
        assertEquals("new", Files.readString(file));
        assertEquals(List.of("trace.json"), names(parent));
        WholeFile.write(Path.of("/dev/null"), out -> out.write("gone"));
    }

    @Test
    void aPipeIsWrittenThoughItHasNoNameOfItsOwn() throws Exception {
        Process reader = new ProcessBuilder("cat").start();
        try {
            Path pipe = Path.of("/proc/" + reader.pid() + "/fd/0");
            assumeTrue(Files.isWritable(pipe), "the system shows the files of processes");
            WholeFile.requirePlace(pipe);
            WholeFile.write(pipe, out -> out.write("through"));
            reader.getOutputStream().close();
            assertEquals("through", new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        } finally {
            reader.destroy();
        }
    }

    @Test
    void actionsBehindTheCommitAreAllDone() throws IOException {
        List<String> seen = new ArrayList<>();
        try (OutputFolder folder = OutputFolder.open(parent.resolve("all"))) {
            Files.writeString(folder.file("a.txt"), "a");
            folder.whenCommitted(() -> {
                throw new IOException("the first");
            });
            folder.whenCommitted(() -> seen.add("second"));
            assertFalse(folder.isCommitted());
            assertEquals(
                    "the first", assertThrows(IOException.class, folder::commit).getMessage());
            assertTrue(folder.isCommitted());
        }
        assertEquals(List.of("second"), seen);
        assertEquals("a", Files.readString(parent.resolve("all/a.txt")));
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
