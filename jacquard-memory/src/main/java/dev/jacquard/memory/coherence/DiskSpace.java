package dev.jacquard.memory.coherence;

import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.memory.data.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file as a memory: where replicas go for which host memory has no room. Each keeps a checksum, which is looked at
 * when it is read.
 *
 * <p>One thread reads and writes, which nobody interrupts: an interrupt would close the file.
 *
 * <p>Threads: places are guarded like every space; the file is the thread's.
 */
final class DiskSpace extends Space {
    /** What direct access is aligned to. */
    private static final int BLOCK = 4096;
    /** So much is read, written or added up at a time: a multiple of the block that an int can count. */
    private static final long PIECE = 1L << 28;

    /** Where a replica is in the file. */
    static final class Extent {
        final long offset;
        final long capacity;
        final long bytes;
        /** Of what was written last. By the thread. */
        long checksum;

        Extent(long offset, long capacity, long bytes) {
            this.offset = offset;
            this.capacity = capacity;
            this.bytes = bytes;
        }
    }

    /** The end of the queue does nothing. */
    private record Job(@Nullable Work work, Consumer<@Nullable Throwable> then) {}

    private interface Work {
        void perform() throws IOException;
    }

    private final Path file;
    private final FileChannel channel;
    private final Gaps gaps = new Gaps();
    private final BlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
    private final Thread thread;
    /** The thread's, for one extent; given back by the collector when a larger one takes its place. */
    private MemorySegment between = MemorySegment.NULL;

    /**
     * A file in {@code folder}, which goes when this is closed.
     *
     * @param direct whether reads and writes are to bypass the system's cache of pages
     * @throws UncheckedIOException when the file cannot be made
     */
    DiskSpace(Path folder, long limit, boolean direct, BlockingThreads threads) {
        super("disk", limit, false, 2, 0);
        try {
            file = Files.createTempFile(folder, "jacquard-", ".replicas");
            List<OpenOption> options = new ArrayList<>(
                    List.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE));
            if (direct) {
                options.add(directOption());
            }
            channel = FileChannel.open(file, options.toArray(OpenOption[]::new));
        } catch (IOException | UnsupportedOperationException e) {
            throw new UncheckedIOException(new IOException(
                    "no file for replicas can be made in " + folder + (direct ? " with direct access" : "") + ": " + e,
                    e));
        }
        thread = threads.start("jacquard-disk", this::work);
    }

    /** By name: it is of the platform's, and in none of its standard packages. */
    private static OpenOption directOption() {
        try {
            for (Object option :
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
                if (option.toString().equals("DIRECT")) {
                    return (OpenOption) option;
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedOperationException("this Java platform knows no direct access to files", e);
        }
        throw new UnsupportedOperationException("this Java platform knows no direct access to files");
    }

    @Override
    Object allocate(Layout layout) {
        long bytes = layout.bytes();
        long capacity = Math.multiplyExact(Math.ceilDiv(bytes, BLOCK), BLOCK);
        return new Extent(gaps.take(capacity), capacity, bytes);
    }

    @Override
    void free(Object memory) {
        Extent extent = (Extent) memory;
        gaps.give(extent.offset, extent.capacity);
    }

    /** Writes an extent, whose bytes {@code source} puts into the memory that it is given. */
    void write(Extent extent, Consumer<MemorySegment> source, Consumer<@Nullable Throwable> then) {
        jobs.add(new Job(
                () -> {
                    MemorySegment buffer = buffer(extent);
                    source.accept(buffer.asSlice(0, extent.bytes));
                    extent.checksum = checksum(buffer, extent);
                    try {
                        for (long done = 0; done < extent.capacity; ) {
                            done += channel.write(piece(buffer, done), extent.offset + done);
                        }
                    } catch (IOException e) {
                        throw new IOException(
                                "a replica of " + extent.bytes + " bytes cannot be written, " + e.getMessage(), e);
                    }
                },
                then));
    }

    /** Reads an extent, and hands its bytes to {@code sink}. */
    void read(Extent extent, Consumer<MemorySegment> sink, Consumer<@Nullable Throwable> then) {
        jobs.add(new Job(
                () -> {
                    MemorySegment buffer = buffer(extent);
                    for (long done = 0; done < extent.capacity; ) {
                        int count = channel.read(piece(buffer, done), extent.offset + done);
                        if (count < 0) {
                            throw new IOException(file + " ends at " + (extent.offset + done) + ", within a replica");
                        }
                        done += count;
                    }
                    if (checksum(buffer, extent) != extent.checksum) {
                        throw new IOException("a replica of " + extent.bytes + " bytes at " + extent.offset + " of "
                                + file + " is not what was written there: its checksum differs");
                    }
                    sink.accept(buffer.asSlice(0, extent.bytes));
                },
                then));
    }

    private MemorySegment buffer(Extent extent) {
        if (between.byteSize() < extent.capacity) {
            between = Arena.ofAuto().allocate(extent.capacity, BLOCK);
        }
        return between.asSlice(0, extent.capacity);
    }

    /** What comes next, as much as a call takes. */
    private static ByteBuffer piece(MemorySegment buffer, long from) {
        return buffer.asSlice(from, Math.min(PIECE, buffer.byteSize() - from)).asByteBuffer();
    }

    private static long checksum(MemorySegment buffer, Extent extent) {
        CRC32C sum = new CRC32C();
        for (long done = 0; done < extent.bytes; done += PIECE) {
            sum.update(piece(buffer.asSlice(0, extent.bytes), done));
        }
        return sum.getValue();
    }

    private void work() {
        while (true) {
            Job next;
            try {
                next = jobs.take();
            } catch (InterruptedException e) {
                continue; // nobody has a reason to
            }
            Work work = next.work();
            if (work == null) {
                return;
            }
            Throwable error = null;
            try {
                work.perform();
            } catch (IOException | RuntimeException e) {
                error = new IOException("replicas in " + file + full() + ": " + e.getMessage(), e);
            }
            next.then().accept(error);
        }
    }

    /** A full disk is the likeliest reason. */
    private String full() {
        try {
            FileStore store = Files.getFileStore(file.toAbsolutePath().getParent());
            return " (of " + store.getTotalSpace() + " bytes of that disk " + store.getUsableSpace() + " are free)";
        } catch (IOException | RuntimeException e) {
            return "";
        }
    }

    void close() {
        jobs.add(new Job(null, any -> {}));
        Threads.join(thread);
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
