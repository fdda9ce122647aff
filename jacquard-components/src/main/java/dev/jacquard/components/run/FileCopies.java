package dev.jacquard.components.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Copies of files next to a checkpoint, which names them by their numbers. A copy is written once and never changed, so
 * an earlier checkpoint stays whole while a new one is made, until {@link #retain} deletes the copies that the new one
 * does not name.
 *
 * <pre>
 *   checkpoint          names the copies 3 and 7
 *   checkpoint.files/   lock     held by the run that writes here, or the checkpoint
 *                       3, 7
 *                       8        of a checkpoint that is being made, or was when its run was killed
 * </pre>
 *
 * <p>Confined to one thread at a time.
 */
final class FileCopies implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final int BUFFER = 1 << 20;

    /** The folders of this process, which need no look at their locks: a look would end them. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path folder;
    /** Held from the first copy, or look at one, on; null before. */
    private @Nullable FileChannel lock;

    private long next;
    /** The copies that were added since the last checkpoint was made. */
    private final List<Path> added = new ArrayList<>();

    /**
     * A copy.
     *
     * @param number its name
     * @param bytes its length
     * @param sum the CRC-32C of them
     */
    record Copy(long number, long bytes, long sum) {}

    /** The copies in a folder, which is made with the first of them. */
    FileCopies(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    // ---- the folder

    /** Returns true if another run, which is not over, has the folder; else it is this one's if it is there. */
    boolean isOthers() throws IOException {
        return lock == null && isThere() && !take();
    }

    /** Throws if it cannot be there either: if its name is too long, say. */
    private boolean isThere() throws IOException {
        try {
            BasicFileAttributes _ = Files.readAttributes(folder, BasicFileAttributes.class);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /**
     * Takes the folder, until it is closed.
     *
     * @throws IOException if it is another run's, which is not over
     */
    void requireOwn() throws IOException {
        if (lock == null && !take()) {
            throw new IOException(folder + " belongs to another run, which is not over");
        }
    }

    private boolean take() throws IOException {
        Files.createDirectories(folder);
        if (!HELD.add(folder)) {
            return false;
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel)) {
                next = 1 + numbers().stream().mapToLong(Long::longValue).max().orElse(0);
                lock = channel;
            }
            return lock != null;
        } finally {
            if (lock == null) {
                HELD.remove(folder);
                if (channel != null) {
                    channel.close();
                }
            }
        }
    }

    private boolean lock(FileChannel channel) throws IOException {
        try {
            FileLock held = channel.tryLock();
            return held != null && Files.exists(folder.resolve(LOCK)); // a run that was just over has taken it away
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            if (!channel.isOpen()) {
                throw e;
            }
            return true; // a file system without locks
        }
    }

    private Set<Long> numbers() throws IOException {
        Set<Long> numbers = new HashSet<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
            for (Path file : all) {
                String name = String.valueOf(file.getFileName());
                if (name.chars().allMatch(its -> its >= '0' && its <= '9') && name.length() < 19) {
                    numbers.add(Long.parseLong(name));
                }
            }
        }
        return numbers;
    }

    private Path place(Copy copy) {
        return folder.resolve(String.valueOf(copy.number));
    }

    /** Returns the time now by the clock of the file system. */
    FileTime now() throws IOException {
        requireOwn();
        if (lock != null) {
            lock.write(ByteBuffer.allocate(1), 0);
        }
        return Files.getLastModifiedTime(folder.resolve(LOCK));
    }

    // ---- copies

    /** Makes a copy, which survives a loss of power once {@link #sync} has returned. */
    Copy add(Path file) throws IOException {
        requireOwn();
        long number = next++;
        Path place = folder.resolve(String.valueOf(number));
        added.add(place);
        try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
                FileChannel to = FileChannel.open(place, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            CRC32C sum = new CRC32C();
            long bytes = move(from, to, sum);
            return new Copy(number, bytes, sum.getValue());
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(file + " cannot be copied to " + place + ": " + e.getMessage(), e);
        }
    }

    private static long move(FileChannel from, FileChannel to, CRC32C sum) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
        long bytes = 0;
        while (from.read(buffer) >= 0) {
            buffer.flip();
            sum.update(buffer.duplicate());
            while (buffer.hasRemaining()) {
                bytes += to.write(buffer);
            }
            buffer.clear();
        }
        return bytes;
    }

    /** Forces the added copies to the disk. */
    void sync() throws IOException {
        for (Path place : added) {
            sync(place);
        }
        if (!added.isEmpty() && !System.getProperty("os.name", "").startsWith("Windows")) {
            sync(folder); // the names; folders cannot be opened there
        }
    }

    private static void sync(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Returns true if a file has the bytes of a copy. */
    boolean isSame(Path file, Copy copy) throws IOException {
        Path its = place(copy);
        return Files.exists(its) && Files.size(file) == copy.bytes && Files.mismatch(file, its) < 0;
    }

    /**
     * Gives a file the bytes of a copy. If the file is there it stays the same one, so that streams that append to it
     * go on with it.
     *
     * @throws IOException if the copy is missing or has changed
     */
    void restore(Copy copy, Path file) throws IOException {
        requireOwn();
        CRC32C sum = new CRC32C();
        long bytes;
        try (FileChannel from = FileChannel.open(place(copy), StandardOpenOption.READ);
                FileChannel to = FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            bytes = move(from, to, sum);
        } catch (NoSuchFileException e) {
            throw new IOException(e.getFile() + " is missing, which the checkpoint names", e);
        }
        if (bytes != copy.bytes || sum.getValue() != copy.sum) {
            throw new IOException(place(copy) + " is damaged: its checksum, or its length of " + bytes
                    + " bytes, is not that in the checkpoint, which has " + copy.bytes + " bytes");
        }
    }

    /** Deletes the copies that were added for a checkpoint that cannot be made. */
    void discard() throws IOException {
        for (Path place : added) {
            Files.deleteIfExists(place);
        }
        added.clear();
    }

    /** Deletes all copies but the ones of these numbers. */
    void retain(Set<Long> numbers) throws IOException {
        added.clear();
        if (lock == null && (!Files.exists(folder) || !take())) {
            return;
        }
        for (long number : numbers()) {
            if (!numbers.contains(number)) {
                Files.deleteIfExists(folder.resolve(String.valueOf(number)));
            }
        }
    }

    /** Deletes the folder, unless another run has taken it since, or has put other files there. */
    private void deleteFolder() throws IOException {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            // It is not this run's alone.
        }
    }

    /** Lets other runs have the folder, which is deleted if it has no copy. */
    @Override
    public void close() throws IOException {
        FileChannel held = lock;
        if (held == null) {
            return;
        }
        try (held) {
            if (numbers().isEmpty()) {
                Files.deleteIfExists(folder.resolve(LOCK));
                deleteFolder();
            }
        } finally {
            lock = null;
            HELD.remove(folder);
        }
    }
}
