package dev.jacquard.base.codec;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A file that is written next to its place and moved there when it is whole: until {@link #commit} returns, the place
 * keeps its previous content, whatever ends the process or the machine.
 *
 * <pre>{@code
 * try (AtomicFile file = AtomicFile.create(place)) {
 *     file.write(memory);
 *     file.commit();
 * }
 * }</pre>
 *
 * <p>A link is followed: the file that it leads to is replaced. Files that killed processes left next to the place are
 * removed when the next file for it is created; a live process is known by its lock.
 *
 * <p>Threads: any, one at a time. An interrupt ends the writing, and the place keeps its content.
 */
public final class AtomicFile implements AutoCloseable {
    /** The unfinished files of this process, which need no look at their locks: a look would end them. */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    /** The files that are made until one is locked before another process, which creates one too, takes it away. */
    private static final int TRIES = 32;

    /** The bytes of a name from which on unfinished files are not called by it. Few systems allow more than 255. */
    private static final int LONG_NAME = 200;

    private final Path place;
    private final Path unfinished;
    private final FileChannel channel;
    private @Nullable BufferedOutput buffered;
    private boolean committed;

    private AtomicFile(Path place, Path unfinished, FileChannel channel) {
        this.place = place;
        this.unfinished = unfinished;
        this.channel = channel;
    }

    /**
     * Creates an empty file next to its place.
     *
     * @throws IOException with the reason, if there can be no such file
     */
    public static AtomicFile create(Path file) throws IOException {
        try {
            Path place = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
            if (Files.exists(place) && !Files.isRegularFile(place)) {
                throw new IOException(Files.isDirectory(place) ? "it is a folder" : "it is no regular file");
            }
            Path name = place.getFileName();
            Path folder = place.getParent();
            if (name == null || folder == null) {
                throw new IOException("it is a folder");
            }
            requireName(place);
            String prefix = prefix(name.toString());
            removeDead(folder, prefix);
            for (int i = 0; i < TRIES; i++) {
                Optional<AtomicFile> made = open(place, folder.resolve(prefix + UUID.randomUUID()));
                if (made.isPresent()) {
                    return made.get();
                }
            }
            throw new IOException("other processes took away " + TRIES + " files as soon as they were made next to it");
        } catch (IOException e) {
            throw IoReasons.cannotWrite(file, e);
        }
    }

    /** Throws if there can be no file of that name: of one that is too long, say. */
    private static void requireName(Path place) throws IOException {
        try {
            BasicFileAttributes _ = Files.readAttributes(place, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            // There may be one.
        }
    }

    /** Returns how unfinished files for a name are called: by a hash of it where more would be too long. */
    private static String prefix(String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        return "." + (bytes.length > LONG_NAME ? UUID.nameUUIDFromBytes(bytes) : name) + ".unfinished-";
    }

    /** Makes a file; nothing if another process took it for a dead one's before it was locked. */
    private static Optional<AtomicFile> open(Path place, Path unfinished) throws IOException {
        OPEN.add(unfinished);
        try {
            FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            AtomicFile made = new AtomicFile(place, unfinished, channel);
            try {
                if (!made.isLocked()) {
                    made.close();
                    return Optional.empty();
                }
                made.copyPermissions();
                return Optional.of(made);
            } catch (IOException e) {
                made.close();
                throw e;
            }
        } catch (IOException e) {
            OPEN.remove(unfinished);
            throw e;
        }
    }

    /** Locks the file; returns false if another process takes it away. */
    private boolean isLocked() throws IOException {
        try {
            return channel.tryLock() != null && Files.exists(unfinished);
        } catch (IOException e) {
            if (!channel.isOpen()) {
                throw e;
            }
            return true; // a file system without locks: nothing is taken away there
        }
    }

    private void copyPermissions() throws IOException {
        if (Files.exists(place) && Files.getFileStore(place).supportsFileAttributeView(PosixFileAttributeView.class)) {
            Files.setPosixFilePermissions(unfinished, Files.getPosixFilePermissions(place));
        }
    }

    private static void removeDead(Path folder, String prefix) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(
                folder, file -> file.getFileName().toString().startsWith(prefix) && !OPEN.contains(file))) {
            for (Path file : all) {
                removeIfDead(file);
            }
        }
    }

    private static void removeIfDead(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            if (channel.tryLock() != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | OverlappingFileLockException e) {
            // It belongs to another user, or is being finished now.
        }
    }

    /** Returns the place that {@link #commit} moves the file to. */
    public Path place() {
        return place;
    }

    /** Returns the channel to write to, in place of {@link #write}; it is closed with this. */
    public FileChannel channel() {
        return channel;
    }

    /**
     * Appends memory of any kind and size; small pieces are gathered.
     *
     * @throws IOException with the reason
     */
    public void write(MemorySegment piece) throws IOException {
        try {
            if (buffered == null) {
                buffered = new BufferedOutput(channel);
            }
            buffered.put(piece);
        } catch (IOException e) {
            throw IoReasons.cannotWrite(place, e);
        }
    }

    /**
     * Brings the bytes to the disk and the file to its place, replacing an existing file.
     *
     * @throws IOException with the reason, if the place has its previous content, or may have it after a loss of power
     * @throws IllegalStateException if it was committed or closed before
     */
    public void commit() throws IOException {
        if (committed || !OPEN.contains(unfinished)) {
            throw new IllegalStateException(place + " was " + (committed ? "committed" : "closed") + " before");
        }
        try {
            if (buffered != null) {
                buffered.flush();
            }
            channel.force(true);
            Files.move(unfinished, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            committed = true;
        } catch (IOException e) {
            throw IoReasons.cannotWrite(place, e);
        }
        syncFolder();
    }

    /** Makes the new name survive a loss of power. */
    private void syncFolder() throws IOException {
        if (System.getProperty("os.name", "").startsWith("Windows")) {
            return; // folders cannot be opened there
        }
        try (FileChannel folder = FileChannel.open(place.resolveSibling(""), StandardOpenOption.READ)) {
            folder.force(true);
        } catch (IOException e) {
            throw new IOException(
                    place + " is in its place, but a loss of power may bring back the earlier file: " + e.getMessage(),
                    e);
        }
    }

    /** Takes the file away if it was not committed. */
    @Override
    public void close() throws IOException {
        try (channel) {
            if (!committed) {
                Files.deleteIfExists(unfinished);
            }
        } finally {
            OPEN.remove(unfinished);
        }
    }
}
