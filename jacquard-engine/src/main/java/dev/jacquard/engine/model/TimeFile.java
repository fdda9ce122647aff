package dev.jacquard.engine.model;

import dev.jacquard.base.machine.CacheFolder;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Learned times in a file of this machine, which sessions of all processes share.
 *
 * <p>The file is replaced as a whole, under a lock between processes, so a reader sees the old or the new content. The
 * disk is not waited for: after a loss of power the file may be cut off, and is refused. It keeps the names used last,
 * 2,000 at most. A file that is damaged counts as empty and is replaced by the next session that learns; a file of
 * another version stays as it is, and nothing is kept.
 *
 * <p>Threads: any, of several processes.
 */
public final class TimeFile {
    /** The target of times on the host. */
    public static final String HOST = "host";
    /** The value of the property and the variable for no file. */
    private static final String NONE = "none";

    /** Counts go up to this. */
    static final long MOST_RUNS = 1_000_000_000_000_000L;

    private static final long MOST_BYTES = 8 << 20;
    /** Writers wait for each other that often, and that long each time: 2 seconds. */
    private static final int TRIES = 200;

    private static final long TRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** Held while this process writes: locks of files are between processes. */
    private static final Object WRITING = new Object();

    private final Path path;

    /** Times in that file, which need not exist. */
    public TimeFile(Path path) {
        this.path = path;
    }

    /**
     * Returns the file of the user on this machine: the system property {@code jacquard.times}, else the environment
     * variable {@code JACQUARD_TIMES}, else {@code times-HOST.tsv} in the {@linkplain CacheFolder folder} of the user;
     * null if it is {@code none}.
     */
    public static @Nullable TimeFile ofUser() {
        String chosen = System.getProperty("jacquard.times", System.getenv("JACQUARD_TIMES"));
        if (chosen == null || chosen.isEmpty()) {
            return new TimeFile(CacheFolder.ofMachine("times"));
        }
        return chosen.equals(NONE) ? null : new TimeFile(Path.of(chosen));
    }

    /** Returns the path of the file. */
    public Path path() {
        return path;
    }

    /**
     * Returns the kept times by name, target and size class; none if there is no file.
     *
     * @throws IOException when the file cannot be read, is of another version, cut off or damaged: says where, and what
     *     was expected
     */
    public List<Entry> read() throws IOException {
        return TimeText.sorted(content().entries().values());
    }

    /**
     * Removes the times of a name.
     *
     * @return false if there were none
     * @throws IOException when the file cannot be read or written
     */
    public boolean forget(String name) throws IOException {
        if (content().entries().keySet().stream().noneMatch(key -> key.name().equals(name))) {
            return false;
        }
        update(Set.of(), old -> {
            Map<Key, Entry> rest = new HashMap<>(old);
            rest.keySet().removeIf(key -> key.name().equals(name));
            return rest;
        });
        return true;
    }

    private TimeText.Content content() throws IOException {
        if (!Files.exists(path)) {
            return TimeText.Content.EMPTY;
        }
        // No channel: one would be closed by an interrupt that is meant for something else.
        try (InputStream file = new FileInputStream(path.toFile())) {
            byte[] bytes = file.readNBytes((int) MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new TimeText.DamagedException(path + " has more than " + MOST_BYTES
                        + " bytes, and is no file of learned times: remove it, or name another file");
            }
            return TimeText.parse(bytes, path);
        }
    }

    /**
     * Changes the content under the lock between processes.
     *
     * @param used the names that count as used now
     */
    void update(Set<String> used, UnaryOperator<Map<Key, Entry>> change) throws IOException {
        boolean interrupted = Thread.interrupted(); // it would close the channels
        try {
            synchronized (WRITING) {
                Path folder = path.toAbsolutePath().getParent();
                if (folder == null) {
                    throw new IOException(path + " is a folder; expected a file");
                }
                Files.createDirectories(folder);
                try (FileChannel lock = FileChannel.open(
                        path.resolveSibling(path.getFileName() + ".lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE)) {
                    lock(lock);
                    replace(used, change);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Takes the lock between processes, until the channel is closed. */
    private void lock(FileChannel channel) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            try {
                if (channel.tryLock() != null) {
                    return;
                }
            } catch (OverlappingFileLockException e) {
                // This library is loaded twice in this process, and the other one writes.
            }
            LockSupport.parkNanos(TRY_NANOS);
        }
        throw new IOException("another process holds the lock of " + path + " for more than 2 seconds");
    }

    private void replace(Set<String> used, UnaryOperator<Map<Key, Entry>> change) throws IOException {
        TimeText.Content old;
        try {
            old = content();
        } catch (TimeText.DamagedException e) {
            old = TimeText.Content.EMPTY; // those who read it have reported it
        }
        TimeText.Content next = old.next(change.apply(old.entries()), used);
        Path part = path.resolveSibling(path.getFileName() + ".part"); // the lock is held: no other process writes it
        Files.writeString(part, TimeText.print(next));
        Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * The identity of a learned time.
     *
     * @param name of a task or a kernel
     * @param target the model of the target: {@code host}, or the model of a device
     * @param sizeClass the number of bits of the size in bytes; 0 where sizes are not distinguished
     */
    public record Key(String name, String target, int sizeClass) {}

    /**
     * A learned time.
     *
     * @param name of a task or a kernel
     * @param target the model of the target: {@code host}, or the model of a device
     * @param sizeClass the number of bits of the size in bytes; 0 where sizes are not distinguished
     * @param bytes the mean size in bytes
     * @param count the number of runs that counted, at least 1
     * @param meanNanos the mean time, 0 or more
     * @param deviationNanos the standard deviation, 0 or more
     */
    public record Entry(
            String name,
            String target,
            int sizeClass,
            double bytes,
            long count,
            double meanNanos,
            double deviationNanos) {
        /** Returns the identity. */
        public Key key() {
            return new Key(name, target, sizeClass);
        }

        Entry withCount(long runs) {
            return new Entry(name, target, sizeClass, bytes, runs, meanNanos, deviationNanos);
        }

        /** Returns the entry of the runs of both, with weights for the means. */
        Entry with(Entry other, long weight, long otherWeight) {
            double part = (double) otherWeight / (double) (weight + otherWeight);
            double off = other.meanNanos - meanNanos;
            double variance = (1 - part) * deviationNanos * deviationNanos
                    + part * other.deviationNanos * other.deviationNanos
                    + part * (1 - part) * off * off;
            return new Entry(
                    name,
                    target,
                    sizeClass,
                    bytes + part * (other.bytes - bytes),
                    Math.min(MOST_RUNS, count + other.count),
                    meanNanos + part * off,
                    Math.min(TimeModel.LONGEST, Math.sqrt(variance)));
        }
    }
}
