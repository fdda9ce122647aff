package dev.jacquard.components.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A hidden folder in which one run makes its files. The process holds a lock on a file in it, which the system takes
 * back when the process ends in any way, so that the next run knows the folders of dead ones. Confined to one thread at
 * a time.
 *
 * <pre>
 *   .result.unfinished-1f2e…/  lock      held while the run lives
 *                              files/    the output of the run
 *                              before/   the earlier results, while they are replaced; before-1, … of other runs
 * </pre>
 */
final class WorkFolder implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final String FILES = "files";
    private static final String BEFORE = "before";

    /** The folders that are made until one is locked before another process, which makes one too, takes it away. */
    private static final int TRIES = 32;

    /** The folders of this process, which need no look at their locks: a look would end them. */
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path root;
    private final FileChannel lock;

    private WorkFolder(Path root, FileChannel lock) {
        this.root = root;
        this.lock = lock;
    }

    /**
     * Makes one.
     *
     * @param in the folder in which to make it
     * @param prefix how names of folders for the same results begin
     */
    static WorkFolder make(Path in, String prefix) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            Optional<WorkFolder> made = locked(makeOwn(in.resolve(prefix + UUID.randomUUID())));
            if (made.isPresent()) {
                Files.createDirectory(made.get().files());
                return made.get();
            }
        }
        throw new IOException(
                "other processes took away " + TRIES + " folders in " + in + " as soon as they were made");
    }

    /** Makes a folder that is this process's before another thread can see it, and take it for one of the dead. */
    private static Path makeOwn(Path root) throws IOException {
        OWN.add(root);
        try {
            return Files.createDirectory(root);
        } catch (IOException e) {
            OWN.remove(root);
            throw e;
        }
    }

    /** Locks a new folder; returns nothing if another process takes it away, which it may before. */
    private static Optional<WorkFolder> locked(Path root) throws IOException {
        boolean isOwn = false;
        try {
            Path file = root.resolve(LOCK);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            isOwn = channel.tryLock() != null && Files.exists(file);
            if (isOwn) {
                return Optional.of(new WorkFolder(root, channel));
            }
            channel.close();
            return Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            Files.deleteIfExists(root);
            throw e;
        } finally {
            if (!isOwn) {
                OWN.remove(root);
            }
        }
    }

    /** The folders with this prefix that dead processes have left. The caller owns them from then on. */
    static List<WorkFolder> ofDead(Path in, String prefix) throws IOException {
        try (DirectoryStream<Path> all =
                Files.newDirectoryStream(in, file -> nameOf(file).startsWith(prefix))) {
            List<WorkFolder> dead = new ArrayList<>();
            all.forEach(root -> ifDead(root).ifPresent(dead::add));
            return dead;
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    private static Optional<WorkFolder> ifDead(Path root) {
        if (!OWN.add(root)) {
            return Optional.empty();
        }
        boolean isDead = false;
        try {
            FileChannel channel = FileChannel.open(root.resolve(LOCK), StandardOpenOption.WRITE);
            isDead = channel.tryLock() != null;
            if (isDead) {
                return Optional.of(new WorkFolder(root, channel));
            }
            channel.close();
        } catch (IOException e) {
            // it is being made or taken away by another process, or belongs to another user
        } finally {
            if (!isDead) {
                OWN.remove(root);
            }
        }
        return Optional.empty();
    }

    private static String nameOf(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** The folder in which files are made. */
    Path files() {
        return root.resolve(FILES);
    }

    /** The rights of the owner of this folder over files of other users. */
    FileRights rights() throws IOException {
        return FileRights.ofOwner(root);
    }

    /** The place for earlier results while they are replaced: another one where another run has put some. */
    Path nextBefore() {
        return before(allBefore().size());
    }

    private Path before(int number) {
        return root.resolve(number == 0 ? BEFORE : BEFORE + "-" + number);
    }

    /** Returns the folders of earlier results that are there, the newest first. */
    List<Path> allBefore() {
        List<Path> all = new ArrayList<>();
        for (int number = 0; Files.isDirectory(before(number)); number++) {
            all.add(before(number));
        }
        return all.reversed();
    }

    /** Takes the folder away, unless earlier results are still in it, which the next run tries to put back. */
    @Override
    public void close() throws IOException {
        try (lock) {
            deleteAll(files());
            if (!allBefore().isEmpty()) {
                return; // the file of the lock stays, too: the next run sees by it that this one is over
            }
            Files.deleteIfExists(root.resolve(LOCK));
            Files.deleteIfExists(root);
        } finally {
            OWN.remove(root);
        }
    }

    /**
     * Makes sure that the contents of {@code file}, or the names in that folder, survive a loss of power; as far as it
     * can, where the user may neither read nor write it.
     */
    static void sync(Path file) throws IOException {
        boolean isFolder = Files.isDirectory(file);
        if (isFolder && System.getProperty("os.name", "").startsWith("Windows")) {
            return; // folders cannot be opened there
        }
        try {
            sync(file, StandardOpenOption.READ);
        } catch (AccessDeniedException e) {
            if (!isFolder) {
                syncWritable(file);
            }
        }
    }

    private static void sync(Path file, StandardOpenOption how) throws IOException {
        try (FileChannel channel = FileChannel.open(file, how)) {
            channel.force(true);
        }
    }

    private static void syncWritable(Path file) throws IOException {
        try {
            sync(file, StandardOpenOption.WRITE);
        } catch (AccessDeniedException e) {
            // The system writes it in its own time.
        }
    }

    /**
     * Makes sure that a folder with all that is in it survives a loss of power. Links, pipes and the like are names
     * alone, and to open them may lead elsewhere, or take for ever.
     */
    static void syncAll(Path folder) throws IOException {
        for (Path file : below(folder)) {
            if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    || Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                sync(file);
            }
        }
    }

    /** Deletes a folder with all that is in it, or a file; nothing if it is not there. */
    static void deleteAll(Path folder) throws IOException {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            for (Path file : below(folder).reversed()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Returns a folder and all that is in it, each folder before its contents. */
    static List<Path> below(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
