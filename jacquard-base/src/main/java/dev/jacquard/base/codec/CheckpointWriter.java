package dev.jacquard.base.codec;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Writes a checkpoint: named values, each with its checksum, for a {@link CheckpointReader}. Nothing is at the file's
 * place until {@link #commit} has returned, and an earlier file stays there until then.
 *
 * <pre>{@code
 * try (CheckpointWriter out = CheckpointWriter.create(file, "heat on 128x128x128 cells, FLOAT64")) {
 *     out.writeLong("step", 50);
 *     out.writeBytes("T", memory);
 *     out.commit();
 * }
 * }</pre>
 *
 * <p>After a failed write the checkpoint cannot be committed. Threads: any, one at a time; an interrupt ends the
 * writing.
 */
public final class CheckpointWriter implements AutoCloseable {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final AtomicFile file;
    private final CheckedOutput out;
    private final Set<String> names = new HashSet<>();
    private State state = State.OPEN;

    /** The step of the protocol: an entry follows another until the end. */
    private enum State {
        OPEN,
        WITHIN_ENTRY,
        FAILED,
        OVER
    }

    /** Memory that makes up the content of an entry, piece by piece, for writing it and for reading it again. */
    @FunctionalInterface
    public interface Pieces {
        /** Hands over each piece, in the order of the content. */
        void each(Transfer transfer) throws IOException;
    }

    /** Takes the bytes of a piece of memory, or fills them. */
    @FunctionalInterface
    public interface Transfer {
        /**
         * Moves the bytes of a piece, of any kind of memory, which is not kept.
         *
         * @throws IllegalStateException if there are more bytes than the entry has
         */
        void move(MemorySegment piece) throws IOException;
    }

    private CheckpointWriter(AtomicFile file) {
        this.file = file;
        this.out = new CheckedOutput(file.channel());
    }

    /**
     * Creates a checkpoint without entries.
     *
     * @param file its place
     * @param identity the subject of the checkpoint: all that a program must have in common with the one that wrote it,
     *     in words that users know; at most 1 MiB of UTF-8
     * @throws IOException with the reason, if no file can be made there
     */
    public static CheckpointWriter create(Path file, String identity) throws IOException {
        ByteBuffer head = Head.file(Objects.requireNonNull(identity, "identity"));
        AtomicFile unfinished = AtomicFile.create(file);
        try {
            CheckpointWriter writer = new CheckpointWriter(unfinished);
            writer.out.put(head);
            return writer;
        } catch (IOException | RuntimeException e) {
            unfinished.close();
            throw e;
        }
    }

    /** Writes a whole number. */
    public void writeLong(String name, long value) throws IOException {
        write(name, EntryType.LONG, value);
    }

    /** Writes a number; each NaN keeps its bits. */
    public void writeDouble(String name, double value) throws IOException {
        write(name, EntryType.DOUBLE, Double.doubleToRawLongBits(value));
    }

    private void write(String name, EntryType type, long bits) throws IOException {
        MemorySegment content = MemorySegment.ofArray(new byte[Long.BYTES]);
        content.set(LONG, 0, bits);
        write(name, type, content.byteSize(), transfer -> transfer.move(content));
    }

    /** Writes a text. */
    public void writeText(String name, String text) throws IOException {
        byte[] bytes = Utf8.bytes(text);
        write(name, EntryType.TEXT, bytes.length, transfer -> transfer.move(MemorySegment.ofArray(bytes)));
    }

    /** Writes memory of any kind and size, as it is. */
    public void writeBytes(String name, MemorySegment content) throws IOException {
        writeBytes(name, content.byteSize(), transfer -> transfer.move(content));
    }

    /**
     * Writes memory piece by piece as one entry, such as the rows of a field without the gaps between them.
     *
     * @param bytes the length of all pieces together
     * @throws IllegalStateException if they have another length
     */
    public void writeBytes(String name, long bytes, Pieces pieces) throws IOException {
        if (bytes < 0) {
            throw new IllegalArgumentException("entry \"" + name + "\" cannot have " + bytes + " bytes");
        }
        write(name, EntryType.BYTES, bytes, pieces);
    }

    /**
     * Writes a value.
     *
     * @throws IOException also if the codec cannot write it
     */
    public <T> void writeValue(String name, Codec<T> codec, T value) throws IOException {
        requireOpen("entry \"" + name + "\" cannot be written");
        Codec.Output out = new Codec.Output();
        try {
            codec.write(value, out);
        } catch (IOException e) {
            throw new IOException(
                    "entry \"" + name + "\" cannot be written to " + file.place() + ": " + e.getMessage(), e);
        }
        write(name, EntryType.BYTES, out.length(), out);
    }

    private void write(String name, EntryType type, long bytes, Pieces pieces) throws IOException {
        requireOpen("entry \"" + name + "\" cannot be written");
        ByteBuffer head = Head.entry(type, Objects.requireNonNull(name, "name"), bytes);
        if (!names.add(name)) {
            throw new IllegalArgumentException(file.place() + " has an entry \"" + name + "\" already");
        }
        state = State.WITHIN_ENTRY;
        boolean written = false;
        try {
            out.put(head);
            out.checksum(); // starts that of the content
            Progress progress = new Progress(name, bytes);
            pieces.each(piece -> out.put(progress.count(piece)));
            progress.requireWhole();
            putChecksum();
            written = true;
        } catch (IOException e) {
            throw IoReasons.cannotWrite(file.place(), e);
        } finally {
            state = written ? State.OPEN : State.FAILED;
        }
    }

    private void putChecksum() throws IOException {
        out.put(ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0, out.checksum()));
    }

    private void requireOpen(String what) {
        String reason = switch (state) {
            case OPEN -> null;
            case WITHIN_ENTRY -> "another entry is being written";
            case FAILED -> "an earlier entry has failed";
            case OVER -> "the checkpoint is committed or closed";
        };
        if (reason != null) {
            throw new IllegalStateException(what + " to " + file.place() + ": " + reason);
        }
    }

    /**
     * Ends the checkpoint and brings it to its place, to stay there if the machine loses power.
     *
     * @throws IOException with the reason, if an earlier file is still there
     */
    public void commit() throws IOException {
        requireOpen("the end cannot be written");
        state = State.OVER;
        try {
            out.put(Head.end(names.size()));
            out.flush();
        } catch (IOException e) {
            throw IoReasons.cannotWrite(file.place(), e);
        }
        file.commit();
    }

    /** Takes the file away if it was not committed; an earlier one stays. */
    @Override
    public void close() throws IOException {
        state = State.OVER;
        file.close();
    }
}
