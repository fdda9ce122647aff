package dev.jacquard.memory.coherence;

import dev.jacquard.base.concurrent.SingleConsumerQueue;
import dev.jacquard.base.concurrent.Threads;
import dev.jacquard.memory.coherence.Coherence.BlockingThreads;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.CopyShape;
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
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A file as a memory, for replicas that host memory has no room for. Each extent has a checksum, which is compared when
 * the extent is read.
 *
 * <p>One thread reads and writes. Nothing interrupts the thread: an interrupt would close the file.
 *
 * <p>Threads: extents are guarded as every space is; the file is confined to the thread.
 */
final class DiskSpace extends Space {
    /** The alignment of direct access, in bytes. */
    private static final int BLOCK = 4096;
    /** The number of bytes that one call reads, writes or sums up: a multiple of the block that an int can count. */
    private static final long PIECE = 1L << 28;

    /** The place of a replica in the file. */
    static final class Extent {
        final long offset;
        final long capacity;
        final long bytes;
        /** The checksum of the bytes that were written last. Confined to the thread. */
        long checksum;

        Extent(long offset, long capacity, long bytes) {
            this.offset = offset;
            this.capacity = capacity;
            this.bytes = bytes;
        }
    }

    /** A read or write of the thread; one without work ends the thread. */
    private record Job(@Nullable Work work, Consumer<@Nullable Throwable> then) {}

    private interface Work {
        void perform() throws IOException;
    }

    private final Path file;
    private final FileChannel channel;
    private final Gaps gaps = new Gaps();
    private final SingleConsumerQueue<Job> jobs = new SingleConsumerQueue<>();
    private final Thread thread;
    private final boolean direct;
    /**
     * Room for one extent, which is copied there on its way if it does not lie in host memory as in the file. Confined
     * to the thread. It has its own arena: the JVM limits the memory that the collector frees.
     */
    private @Nullable Arena arena;

    private MemorySegment between = MemorySegment.NULL;

    /**
     * Makes a file, which goes when the space is closed.
     *
     * @throws UncheckedIOException when the file cannot be made
     */
    DiskSpace(String name, Limits.Disk disk, BlockingThreads threads) {
        super(name, disk.bytes(), false, 2, 0);
        direct = disk.direct();
        try {
            file = Files.createTempFile(disk.folder(), "jacquard-", ".replicas");
            List<OpenOption> options = new ArrayList<>(
                    List.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE));
            if (disk.direct()) {
                options.add(directOption());
            }
            channel = FileChannel.open(file, options.toArray(OpenOption[]::new));
        } catch (IOException | UnsupportedOperationException e) {
            throw new UncheckedIOException(new IOException(
                    "no file for replicas can be made in " + disk.folder()
                            + (disk.direct() ? " with direct access" : "") + ": " + e,
                    e));
        }
        thread = threads.start("jacquard-" + name, this::work);
    }

    /** Returns the option, found by name: the platform has it outside of its standard packages. */
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

    @Override
    TransferPath fromHost() {
        return (from, to, shapes, careful, then) -> {
            Extent extent = (Extent) to;
            MemorySegment host = (MemorySegment) from;
            MemorySegment its = inPlace(host, extent, shapes, CopyShape::fromOffset, CopyShape::toOffset);
            if (its == null) {
                write(extent, bytes -> Shapes.copy(host, bytes, shapes), then);
            } else {
                jobs.add(new Job(() -> write(extent, its), then));
            }
        };
    }

    @Override
    TransferPath toHost() {
        return new TransferPath() {
            @Override
            public void move(
                    Object from,
                    Object to,
                    List<CopyShape> shapes,
                    boolean careful,
                    Consumer<@Nullable Throwable> then) {
                Extent extent = (Extent) from;
                MemorySegment host = (MemorySegment) to;
                MemorySegment its =
                        careful ? null : inPlace(host, extent, shapes, CopyShape::toOffset, CopyShape::fromOffset);
                if (its == null) {
                    read(extent, bytes -> Shapes.copy(bytes, host, shapes), then);
                } else {
                    jobs.add(new Job(() -> read(extent, its), then));
                }
            }

            @Override
            public boolean canBeCareful() {
                return true;
            }
        };
    }

    /**
     * Returns the bytes of a whole extent where they lie in host memory, one after the other; null if they lie there
     * otherwise, on the heap, or where the file is accessed directly, which takes whole blocks.
     */
    private @Nullable MemorySegment inPlace(
            MemorySegment host,
            Extent extent,
            List<CopyShape> shapes,
            ToLongFunction<CopyShape> onHost,
            ToLongFunction<CopyShape> inFile) {
        CopyShape shape = shapes.getFirst();
        boolean isOneRun = shapes.size() == 1
                && shape.bytes() == shape.runBytes()
                && shape.runBytes() == extent.bytes
                && inFile.applyAsLong(shape) == 0;
        return direct || !isOneRun || !host.isNative() ? null : host.asSlice(onHost.applyAsLong(shape), extent.bytes);
    }

    @Override
    boolean isIdle() {
        return jobs.isIdle() || !thread.isAlive();
    }

    @Override
    boolean isChecked() {
        return true;
    }

    /** Writes an extent; {@code source} puts its bytes into the memory that it is given. */
    void write(Extent extent, Consumer<MemorySegment> source, Consumer<@Nullable Throwable> then) {
        jobs.add(new Job(
                () -> {
                    MemorySegment buffer = buffer(extent);
                    source.accept(buffer.asSlice(0, extent.bytes));
                    write(extent, buffer);
                },
                then));
    }

    private void write(Extent extent, MemorySegment bytes) throws IOException {
        extent.checksum = checksum(bytes, extent);
        try {
            for (long done = 0; done < bytes.byteSize(); ) {
                done += channel.write(piece(bytes, done), extent.offset + done);
            }
        } catch (IOException e) {
            throw new IOException("a replica of " + extent.bytes + " bytes cannot be written, " + e.getMessage(), e);
        }
    }

    /** Reads an extent, and hands its bytes to {@code sink}. */
    void read(Extent extent, Consumer<MemorySegment> sink, Consumer<@Nullable Throwable> then) {
        jobs.add(new Job(
                () -> {
                    MemorySegment buffer = buffer(extent);
                    read(extent, direct ? buffer : buffer.asSlice(0, extent.bytes));
                    sink.accept(buffer.asSlice(0, extent.bytes));
                },
                then));
    }

    private void read(Extent extent, MemorySegment bytes) throws IOException {
        for (long done = 0; done < bytes.byteSize(); ) {
            int count = channel.read(piece(bytes, done), extent.offset + done);
            if (count < 0) {
                throw new IOException(file + " ends at " + (extent.offset + done) + ", within a replica");
            }
            done += count;
        }
        if (checksum(bytes, extent) != extent.checksum) {
            throw new IOException("a replica of " + extent.bytes + " bytes at " + extent.offset + " of " + file
                    + " is not what was written there: its checksum differs");
        }
    }

    private MemorySegment buffer(Extent extent) {
        if (between.byteSize() < extent.capacity) {
            giveBack();
            arena = Arena.ofConfined();
            between = arena.allocate(extent.capacity, BLOCK);
        }
        return between.asSlice(0, extent.capacity);
    }

    /** Gives the room back. */
    private void giveBack() {
        between = MemorySegment.NULL;
        if (arena != null) {
            arena.close();
            arena = null;
        }
    }

    /** Returns the bytes that the next call reads or writes. */
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
            Job next = jobs.take();
            Work work = next.work();
            if (work == null) {
                giveBack();
                return;
            }
            Throwable error = null;
            try {
                work.perform();
            } catch (IOException | RuntimeException | OutOfMemoryError e) { // no memory for an extent, say
                error = new IOException("replicas in " + file + full() + ": " + e.getMessage(), e);
            }
            next.then().accept(error);
        }
    }

    /** Returns how full the disk is, for a message: a full disk is the likeliest reason of a failure. */
    private String full() {
        try {
            FileStore store = Files.getFileStore(file.toAbsolutePath().getParent());
            return " (of " + store.getTotalSpace() + " bytes of that disk " + store.getUsableSpace() + " are free)";
        } catch (IOException | RuntimeException e) {
            return "";
        }
    }

    @Override
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
