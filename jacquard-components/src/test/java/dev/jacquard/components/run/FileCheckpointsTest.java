package dev.jacquard.components.run;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.ComponentContext;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.SocketType;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.run.Program.Surroundings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files that components have put into the output folder before a checkpoint: a component in front of a loop writes some
 * once, and one in the loop adds, replaces, appends, changes in place and deletes others in each pass.
 */
class FileCheckpointsTest {
    private static final String PROGRAM = """
            program: files
            workers: 2
            checkpoint: {every: 1}
            components:
              make: {component: scripted, id: makes files}
              change: {component: scripted, id: changes files}
              end: {component: scripted, id: ends, exit: true}
            wires:
              make.in: none
              change.in: end.again
              change.need: make.out
              end.in: change.out
            """.replace("changes files}", "changes files, needs: true}");

    private static final int PASSES = 5;

    @TempDir
    Path folder;

    private Programs programs;
    /** The pass that fails; 0 for none. */
    private int stop;
    /** The pass behind which there is a file that cannot be saved; 0 for none. */
    private int unsavable;
    /** Streams that a component holds over all passes. */
    private final List<OutputStream> open = new ArrayList<>();

    @BeforeEach
    void make() {
        programs = new Programs(folder);
        Scripted.is("makes files", context -> () -> {
            Path once = context.output().file("once.bin");
            Files.write(once, new byte[300_000]);
            Files.setPosixFilePermissions(once, PosixFilePermissions.fromString("rwxr-x---"));
            Path below = Files.createDirectories(context.output().unfinished().resolve("below/deep"));
            Files.writeString(below.resolve("once.txt"), "deep");
            Files.createDirectory(below.resolveSibling("empty"));
            Files.createSymbolicLink(below.resolve("link"), Path.of("../../once.bin"));
            context.output(Scripted.OUT).set("made");
            return true;
        });
        Scripted.is("changes files", context -> {
            int[] passes = {0};
            context.keep("passes", SocketType.of(Integer.class), () -> passes[0], its -> passes[0] = its);
            Files.writeString(context.output().file("appended.txt"), "head\n");
            Files.writeString(context.output().file("shrunk.txt"), "longer than what replaces it");
            Files.writeString(context.output().file("early.txt"), "gone after the first pass");
            Files.createDirectory(context.output().unfinished().resolve("other"));
            OutputStream held = Files.newOutputStream(context.output().file("held.txt"), CREATE, APPEND);
            open.add(held);
            return () -> {
                change(context, ++passes[0]);
                if (passes[0] == unsavable) {
                    String pipe = context.output().unfinished().resolve("pipe").toString();
                    assertEquals(0, new ProcessBuilder("mkfifo", pipe).start().waitFor());
                }
                held.write(("pass " + passes[0] + "\n").getBytes(StandardCharsets.UTF_8));
                context.output(Scripted.OUT).set("changed");
                if (passes[0] == stop) {
                    throw new IllegalStateException("stopped by the test");
                }
                return true;
            };
        });
        Scripted.ends("ends", PASSES);
    }

    @AfterEach
    void close() throws IOException {
        for (OutputStream stream : open) {
            stream.close();
        }
    }

    private static void change(ComponentContext context, int pass) throws IOException {
        OutputFolder out = context.output();
        Files.writeString(out.file("new-" + pass + ".txt"), "of pass " + pass);
        if (pass == 1) {
            Files.delete(out.file("early.txt"));
            Files.writeString(out.file("shrunk.txt"), "short");
        }
        if (pass > 2) {
            Files.delete(out.file("new-" + (pass - 2) + ".txt"));
        }
        Files.writeString(out.file("replaced.txt"), "pass " + pass);
        Files.writeString(out.file("appended.txt"), "pass " + pass + "\n", APPEND);
        try (FileChannel mapped = FileChannel.open(out.file("mapped.bin"), CREATE, READ, WRITE)) {
            MappedByteBuffer bytes = mapped.map(FileChannel.MapMode.READ_WRITE, 0, 64);
            bytes.put(pass, (byte) pass);
            bytes.put(0, (byte) (10 * pass));
        }
        Path other = out.unfinished().resolve("other");
        if (pass % 2 == 1) {
            Files.delete(other);
            Files.createDirectory(other);
        } else {
            Files.delete(other);
            Files.writeString(other, "a file now");
        }
    }

    private void run(String yaml, RunMode mode, Path out, boolean resumes) throws Exception {
        Programs.complete(programs.load(yaml, mode), out, resumes);
    }

    /** Runs until the component fails in that pass. */
    private void stopped(String yaml, RunMode mode, Path out, int pass, boolean resumes) {
        stop = pass;
        assertThrows(ComponentFailedException.class, () -> run(yaml, mode, out, resumes));
        stop = 0;
    }

    /** Returns what is in a folder, without what shows times. */
    private static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.toList()) {
                String rights = Files.isSymbolicLink(file)
                        ? "link to " + Files.readSymbolicLink(file)
                        : PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                boolean isFile = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
                files.put(
                        folder.relativize(file).toString(),
                        rights
                                + (isFile
                                        ? " "
                                                + new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                                                        .hashCode()
                                        : ""));
            }
        }
        files.remove("graph.svg");
        return files;
    }

    @Test
    void programsGoOnToTheSameFiles() throws Exception {
        run(PROGRAM, RunMode.SERIAL, folder.resolve("whole"), false);
        Map<String, String> expected = files(folder.resolve("whole"));
        assertTrue(expected.containsKey("make/below/deep/once.txt"), expected.toString());
        for (int pass = 2; pass <= PASSES; pass++) {
            Path out = folder.resolve("out-" + pass);
            RunMode before = pass % 2 == 0 ? RunMode.SERIAL : RunMode.PARALLEL;
            stopped(PROGRAM, before, out, pass, false);
            if (pass < PASSES) {
                stopped(PROGRAM, before, out, pass + 1, true);
            }
            run(PROGRAM, before == RunMode.SERIAL ? RunMode.PARALLEL : RunMode.SERIAL, out, true);
            assertEquals(expected, files(out), "stopped in pass " + pass);
        }
    }

    private static List<String> copies(Path out) throws IOException {
        try (Stream<Path> all = Files.list(out.resolve("checkpoint.files"))) {
            return all.map(file -> String.valueOf(file.getFileName())).sorted().toList();
        }
    }

    /** A file that changes not has the copy that it had; copies of others, and of files that are gone, are gone. */
    @Test
    void onlyWhatHasChangedIsCopiedAgain() throws Exception {
        Path out = folder.resolve("out");
        stopped(PROGRAM, RunMode.SERIAL, out, 2, false);
        assertEquals(List.of("1", "2", "3", "4", "5", "6", "7", "8", "lock"), copies(out)); // by their paths
        stopped(PROGRAM, RunMode.SERIAL, out, 3, true);
        // 4 is change/new-1.txt, 6 change/shrunk.txt, 7 make/below/deep/once.txt, 8 make/once.bin
        // new are those of appended.txt, held.txt, mapped.bin, new-2.txt, other, replaced.txt
        assertEquals(List.of("10", "11", "12", "13", "14", "4", "6", "7", "8", "9", "lock"), copies(out));
    }

    @Test
    void nothingIsLeftBehindResultsThatAreInPlace() throws Exception {
        Path elsewhere = folder.resolve("elsewhere");
        for (String where : List.of("", ", folder: " + elsewhere)) {
            String yaml = PROGRAM.replace("every: 1", "every: 1" + where);
            Path out = folder.resolve("out" + where.length());
            stopped(yaml, RunMode.SERIAL, out, 3, false);
            Path checkpoint = where.isEmpty() ? out.resolve("checkpoint") : elsewhere.resolve("files.checkpoint");
            Program program = programs.load(yaml, RunMode.SERIAL);
            try (OutputFolder output = OutputFolder.open(out)) {
                program.run(new Surroundings(output, Progress.NONE, new Cancellation(), true));
            }
            assertTrue(Files.exists(checkpoint), "results that are not in place can be had again");
            run(yaml, RunMode.PARALLEL, out, true);
            assertEquals(List.of(), named(out, "checkpoint"));
        }
        assertEquals(List.of(), named(elsewhere, ""));
    }

    private static List<Path> named(Path folder, String beginning) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.getFileName().toString().startsWith(beginning))
                    .toList();
        }
    }

    /** A checkpoint that fails when files were copied leaves the one before as it was, with its files. */
    @Test
    void aCheckpointThatCannotBeMadeLeavesTheOneBefore() throws Exception {
        run(PROGRAM, RunMode.SERIAL, folder.resolve("whole"), false);
        Path out = folder.resolve("out");
        stopped(PROGRAM, RunMode.SERIAL, out, 3, false);
        List<String> before = copies(out);
        for (RunMode mode : List.of(RunMode.SERIAL, RunMode.PARALLEL)) {
            for (int pass : new int[] {1, 3}) {
                unsavable = pass;
                Exception failure = assertThrows(IOException.class, () -> run(PROGRAM, mode, out, pass > 1));
                assertTrue(
                        String.valueOf(failure.getMessage())
                                .contains("the output file 'change/pipe' cannot be saved in a"),
                        failure.toString());
                assertEquals(before, copies(out), "copies for a checkpoint that was not made");
            }
        }
        unsavable = 0;
        run(PROGRAM, RunMode.SERIAL, out, true);
        assertEquals(files(folder.resolve("whole")), files(out));
    }

    @Test
    void copiesThatAreNotWhatTheyWereAreRefused() throws Exception {
        Path out = folder.resolve("out");
        stopped(PROGRAM, RunMode.SERIAL, out, 3, false);
        Path copy = out.resolve("checkpoint.files/8");
        byte[] whole = Files.readAllBytes(copy);
        whole[77] ^= 1;
        Files.write(copy, whole);
        requireRefused(out, copy + " is damaged: ");
        Files.write(copy, new byte[7]);
        requireRefused(out, copy + " is damaged: ");
        Files.delete(copy);
        requireRefused(out, copy + " is missing, which the checkpoint names");
        whole[77] ^= 1;
        Files.write(copy, whole);
        run(PROGRAM, RunMode.SERIAL, out, true);
    }

    private void requireRefused(Path out, String why) {
        InputException refused = assertThrows(InputException.class, () -> run(PROGRAM, RunMode.SERIAL, out, true));
        assertTrue(String.valueOf(refused.getMessage()).startsWith("--resume: " + why), refused.toString());
    }

    /** Two runs at a time would delete each other's copies. */
    @Test
    void thePlaceOfARunThatIsNotOverIsRefused() throws Exception {
        Path kept = folder.resolve("kept");
        String yaml = PROGRAM.replace("every: 1", "every: 1, folder: " + kept);
        stopped(yaml, RunMode.SERIAL, folder.resolve("a"), 3, false);
        try (FileCopies others = new FileCopies(kept.resolve("files.checkpoint.files"))) {
            assertFalse(others.isOthers());
            for (boolean resumes : new boolean[] {false, true}) {
                InputException refused = assertThrows(
                        InputException.class, () -> run(yaml, RunMode.SERIAL, folder.resolve("b"), resumes));
                assertEquals(
                        "the checkpoint " + kept.resolve("files.checkpoint") + " belongs to a run that is not over;"
                                + " expected another folder, with --out or 'checkpoint: {every: N, folder: …}', for"
                                + " each run at the same time",
                        refused.getMessage());
            }
        }
        run(yaml, RunMode.SERIAL, folder.resolve("b"), true);
    }

    /** Also where no file is copied: a run has its checkpoint to itself from the first one on. */
    @Test
    void aPlaceWithoutCopiesIsHeld() throws Exception {
        Path copies = folder.resolve("copies");
        try (FileCopies second = new FileCopies(copies)) {
            try (FileCopies first = new FileCopies(copies)) {
                first.requireOwn();
                first.retain(Set.of());
                assertTrue(second.isOthers());
                assertThrows(IOException.class, second::requireOwn);
            }
            assertFalse(Files.exists(copies));
            second.requireOwn();
        }
        assertFalse(Files.exists(copies));
    }

    /** The results are in place by then: no error may come of it. */
    @Test
    void aFolderOfCopiesWithOtherFilesStays() throws Exception {
        Path copies = folder.resolve("copies");
        Path other = copies.resolve("notes.txt");
        try (FileCopies its = new FileCopies(copies)) {
            its.add(Files.writeString(folder.resolve("file"), "some text"));
            Files.writeString(other, "of the user's");
            its.retain(Set.of());
        }
        try (Stream<Path> left = Files.list(copies)) {
            assertEquals(List.of(other), left.toList());
        }
    }

    /** A place that could not be taken is not this process's. */
    @Test
    void aPlaceThatCouldNotBeTakenIsFreeBehind() throws Exception {
        Path copies = folder.resolve("copies");
        Files.createDirectories(copies.resolve("lock/in the way"));
        try (FileCopies first = new FileCopies(copies)) {
            assertThrows(IOException.class, first::isOthers);
        }
        Files.delete(copies.resolve("lock/in the way"));
        Files.delete(copies.resolve("lock"));
        try (FileCopies second = new FileCopies(copies)) {
            assertFalse(second.isOthers());
        }
    }
}
