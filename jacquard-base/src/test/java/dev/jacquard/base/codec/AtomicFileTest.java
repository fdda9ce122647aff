package dev.jacquard.base.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file is there whole or not at all, and what cannot be written says why. */
class AtomicFileTest {
    @TempDir
    Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static void put(AtomicFile file, String text) throws IOException {
        file.channel().write(ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    @Test
    void aFileComesToItsPlaceWhenItIsCommitted() throws IOException {
        Path place = folder.resolve("file");
        try (AtomicFile file = AtomicFile.create(place)) {
            put(file, "new");
            assertFalse(Files.exists(place));
            file.commit();
            assertEquals("new", Files.readString(place));
            assertThrows(IllegalStateException.class, file::commit);
        }
        assertEquals(List.of("file"), names());
    }

    @Test
    void aNameMayBeAsLongAsTheSystemAllows() throws IOException {
        Path place = folder.resolve("f".repeat(255));
        try (AtomicFile file = AtomicFile.create(place)) {
            put(file, "new");
            file.commit();
        }
        assertEquals("new", Files.readString(place));
        IOException error = assertThrows(IOException.class, () -> AtomicFile.create(folder.resolve("f".repeat(256))));
        assertTrue(String.valueOf(error.getMessage()).contains("too long"), error.getMessage());
        assertEquals(List.of("f".repeat(255)), names());
    }

    @Test
    void anAbandonedFileLeavesTheEarlierOne() throws IOException {
        Path place = Files.writeString(folder.resolve("file"), "old");
        try (AtomicFile file = AtomicFile.create(place)) {
            put(file, "new");
        }
        assertEquals("old", Files.readString(place));
        assertEquals(List.of("file"), names());
        AtomicFile closed = AtomicFile.create(place);
        closed.close();
        closed.close();
        assertThrows(IllegalStateException.class, closed::commit);
    }

    @Test
    void anInterruptedWriteLeavesTheEarlierOne() throws IOException {
        Path place = Files.writeString(folder.resolve("file"), "old");
        try (CheckpointWriter out = CheckpointWriter.create(place, "model")) {
            out.writeLong("step", 1);
            Thread.currentThread().interrupt();
            IOException e = assertThrows(
                    IOException.class, () -> out.writeBytes("large", MemorySegment.ofArray(new byte[1 << 20])));
            assertEquals(place + " cannot be written: the thread was interrupted", e.getMessage());
            assertTrue(Thread.interrupted(), "the interrupt is not lost");
            assertThrows(IllegalStateException.class, out::commit);
        }
        assertEquals("old", Files.readString(place));
        assertEquals(List.of("file"), names());
    }

    @Test
    void anUnfinishedFileIsNotReadAsACheckpoint() throws IOException {
        Path place = folder.resolve("file");
        try (CheckpointWriter out = CheckpointWriter.create(place, "model")) {
            out.writeLong("step", 1);
            assertThrows(IOException.class, () -> CheckpointReader.open(place, "model"));
            out.commit();
        }
        try (CheckpointReader in = CheckpointReader.open(place, "model")) {
            assertEquals(1, in.readLong("step"));
        }
    }

    @Test
    void whatDeadProcessesLeftIsTakenAway() throws IOException {
        Files.writeString(folder.resolve(".file.unfinished-1"), "dead");
        Files.writeString(folder.resolve(".other.unfinished-1"), "of another file");
        Path place = folder.resolve("file");
        try (AtomicFile one = AtomicFile.create(place);
                AtomicFile other = AtomicFile.create(place)) {
            assertEquals(3, names().size(), () -> "two are alive: " + namesOrNothing());
            put(one, "one");
            put(other, "other");
            one.commit();
            other.commit();
        }
        assertEquals("other", Files.readString(place));
        assertEquals(List.of(".other.unfinished-1", "file"), names());
    }

    @Test
    void aLiveFileKeepsItsLockWhenAnotherOneIsCreated() throws IOException {
        Path locks = Path.of("/proc/locks");
        assumeTrue(Files.isReadable(locks), "the system does not tell its locks");
        Path place = folder.resolve("file");
        try (AtomicFile one = AtomicFile.create(place)) {
            String its = ":" + Files.getAttribute(folder.resolve(names().getFirst()), "unix:ino") + " ";
            assertTrue(Files.readString(locks).contains(its), "locked");
            try (AtomicFile other = AtomicFile.create(place)) {
                assertTrue(Files.readString(locks).contains(its), "still locked");
                other.commit();
            }
            one.commit();
        }
    }

    private List<String> namesOrNothing() {
        try {
            return names();
        } catch (IOException e) {
            return List.of(e.toString());
        }
    }

    /** A new file is not locked at once, and looks to another process as if it were a dead one's. */
    @Test
    void aFileIsMadeAnewWhereAnotherProcessTakesItAway() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread other = Thread.ofPlatform().start(() -> {
            String spared = "";
            while (!over.get()) {
                for (String name : Objects.requireNonNullElse(folder.toFile().list(), new String[0])) {
                    // every second one that it sees: never as many in a row as are tried
                    if (spared.isEmpty()) {
                        spared = name;
                    } else if (!name.equals(spared)
                            && folder.resolve(name).toFile().delete()) {
                        spared = "";
                    }
                }
            }
        });
        try {
            for (int i = 0; i < 1_000; i++) {
                AtomicFile.create(folder.resolve("file")).close();
            }
        } finally {
            over.set(true);
            other.join();
        }
    }

    @Test
    void linksAndPermissionsStay() throws IOException {
        Path place = Files.writeString(folder.resolve("file"), "old");
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rw-r-----"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), place);
        try (AtomicFile file = AtomicFile.create(link)) {
            assertEquals(place.toRealPath(), file.place());
            put(file, "new");
            file.commit();
        }
        assertEquals("new", Files.readString(place));
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(place)));
    }

    private static String refused(Path place) {
        return String.valueOf(
                assertThrows(IOException.class, () -> AtomicFile.create(place)).getMessage());
    }

    @Test
    void placesThatCannotBeWrittenAreNamedWithTheReason() throws IOException {
        Path missing = folder.resolve("missing").resolve("file");
        assertEquals(missing + " cannot be written: there is no folder " + folder.resolve("missing"), refused(missing));
        assertEquals(folder + " cannot be written: it is a folder", refused(folder));
        Path file = Files.writeString(folder.resolve("plain"), "");
        assertEquals(file.resolve("x") + " cannot be written: " + file + " is no folder", refused(file.resolve("x")));
        Path device = Path.of("/dev/null");
        if (Files.exists(device)) {
            assertEquals("/dev/null cannot be written: it is no regular file", refused(device));
        }
    }

    @Test
    void aFolderWithoutPermissionIsNamed() throws IOException {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
        assumeTrue(!Files.isWritable(closed), "this user may write anywhere");
        String message = refused(closed.resolve("file"));
        assertTrue(message.startsWith(closed.resolve("file") + " cannot be written: permission denied"), message);
    }

    @Test
    void aRefusedPermissionIsNamed() {
        Path file = folder.resolve("file");
        assertEquals(
                file + " cannot be written: permission denied for /other",
                IoReasons.cannotWrite(file, new AccessDeniedException("/other")).getMessage());
    }

    @Test
    void aFullDiskIsNamedWithItsFreeBytes() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "no device that is always full");
        try (FileChannel channel = FileChannel.open(full, StandardOpenOption.WRITE)) {
            CheckedOutput out = new CheckedOutput(channel);
            out.put(ByteBuffer.wrap(new byte[1]));
            IOException e = assertThrows(IOException.class, out::flush);
            String message = String.valueOf(
                    IoReasons.cannotWrite(folder.resolve("file"), e).getMessage());
            assertTrue(
                    message.matches(".*/file cannot be written: No space left on device [(]of \\d+ bytes of that disk"
                            + " \\d+ are free[)]"),
                    message);
        }
    }

    @Test
    void aMissingCheckpointIsNamed() {
        Path file = folder.resolve("none");
        assertEquals(
                file + " cannot be read: " + file + " is not there",
                assertThrows(IOException.class, () -> CheckpointReader.open(file, "model"))
                        .getMessage());
    }
}
