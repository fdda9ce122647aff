package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.jacquard.base.codec.CheckpointReader;
import dev.jacquard.base.codec.CheckpointWriter;
import dev.jacquard.components.program.OutputFolder;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a file of the output folder counts as changed since the checkpoint before. */
class SavedFilesTest {
    private static final String IDENTITY = "test";

    /** Its changes are found by its times: the bytes of a copy are not looked at again. */
    @Test
    void anOldFileIsNotReadAgain(@TempDir Path folder) throws IOException {
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"));
                SavedFiles files = new SavedFiles(out, folder.resolve("copies"), 0)) {
            Path file = Files.write(out.file("a"), new byte[100]);
            save(files, folder);
            Path copy = folder.resolve("copies/1");
            Files.write(copy, new byte[99]);
            save(files, folder);
            assertEquals(99, Files.size(copy));
            tick(folder, file);
            FileTime time = Files.getLastModifiedTime(file);
            Files.write(file, new byte[] {1}, StandardOpenOption.WRITE);
            Files.setLastModifiedTime(file, time);
            save(files, folder);
            assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(folder.resolve("copies/2")));
        }
    }

    /** A change that was just made may be followed by one of the same time. */
    @Test
    void aNewFileIsCompared(@TempDir Path folder) throws IOException {
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"));
                SavedFiles files = new SavedFiles(out, folder.resolve("copies"), SavedFiles.OLD_MILLIS)) {
            Files.write(out.file("a"), new byte[100]);
            save(files, folder);
            Files.write(folder.resolve("copies/1"), new byte[99]);
            save(files, folder);
            assertEquals(100, Files.size(folder.resolve("copies/2")));
        }
    }

    @Test
    void changesThroughMappedMemoryAreSeen(@TempDir Path folder, @TempDir Path other) throws IOException {
        changeMapped(folder, other);
    }

    /** There are no times of such changes there. */
    @Test
    void changesThroughMappedMemoryAreSeenInMemoryFiles(@TempDir Path other) throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory), "no file system in memory");
        Path folder = Files.createTempDirectory(memory, "saved-files");
        try {
            changeMapped(folder, other);
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> inside = Files.walk(folder)) {
            all = inside.toList();
        }
        for (Path path : all.reversed()) { // folders come before what is in them
            Files.delete(path);
        }
    }

    /** @param other for the copies; may be on another file system */
    private static void changeMapped(Path folder, Path other) throws IOException {
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"));
                SavedFiles files = new SavedFiles(out, other.resolve("copies"), 0);
                FileChannel channel = FileChannel.open(
                        out.file("a"), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, 4096);
            for (int i = 1; i <= 5; i++) {
                tick(folder, out.file("a"));
                bytes.put(5, (byte) i);
                save(files, other);
                byte[] saved = Files.readAllBytes(other.resolve("copies").resolve(String.valueOf(i)));
                assertEquals(i, saved[5]);
            }
        }
        for (Path made :
                List.of(other.resolve("checkpoint"), other.resolve("copies/lock"), other.resolve("copies/5"))) {
            Files.delete(made);
        }
    }

    private static void save(SavedFiles files, Path folder) throws IOException {
        try (CheckpointWriter writer = CheckpointWriter.create(folder.resolve("checkpoint"), IDENTITY)) {
            files.save(writer);
            writer.commit();
        }
        files.saved();
        CheckpointReader.open(folder.resolve("checkpoint"), IDENTITY).close();
    }

    /** Returns when a new change has another time than the last one of that file. */
    private static void tick(Path folder, Path file) throws IOException {
        Path clock = folder.resolve("clock");
        Object before = Files.getAttribute(file, "unix:ctime");
        do {
            Files.writeString(clock, "x");
        } while (Files.getAttribute(clock, "unix:ctime").equals(before));
    }
}
