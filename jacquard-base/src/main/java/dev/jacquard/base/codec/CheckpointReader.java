package dev.jacquard.base.codec;

import dev.jacquard.base.codec.CheckpointWriter.Pieces;
import dev.jacquard.base.text.NearestName;
import java.io.IOException;
import java.io.Serial;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Reads the checkpoint that a {@link CheckpointWriter} wrote, in any order. The type of the file, its integrity, and
 * the places of its entries are looked at when it is opened; the content of an entry when it is read, or by
 * {@link #check}.
 *
 * <pre>{@code
 * try (CheckpointReader in = CheckpointReader.open(file, "heat on 128x128x128 cells, FLOAT64")) {
 *     in.check();
 *     long step = in.readLong("step");
 *     in.readBytes("T", memory);
 * }
 * }</pre>
 *
 * <p>Threads: any, one at a time; an interrupt closes the file.
 */
public final class CheckpointReader implements AutoCloseable {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Path file;
    private final FileChannel channel;
    private final CheckedInput in;
    private final Map<String, Entry> entries;
    private boolean reading;

    /** A file that is no checkpoint, or a damaged one, or one of something else; the message says which, and where. */
    public static final class RefusedException extends IOException {
        @Serial
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    private CheckpointReader(Path file, FileChannel channel, CheckedInput in, Map<String, Entry> entries) {
        this.file = file;
        this.channel = channel;
        this.in = in;
        this.entries = entries;
    }

    /**
     * Opens a checkpoint.
     *
     * @param file its place
     * @param identity the identity that it must have
     * @throws RefusedException if it has another identity or format version, is damaged, cut, or no checkpoint
     * @throws IOException with the reason, if there is no such file or it cannot be read
     */
    public static CheckpointReader open(Path file, String identity) throws IOException {
        Objects.requireNonNull(identity, "identity");
        try {
            FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
            try {
                CheckedInput in = new CheckedInput(channel);
                Map<String, Entry> entries = new Contents(file, channel.size(), in).read(identity);
                return new CheckpointReader(file, channel, in, entries);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (RefusedException e) {
            throw e;
        } catch (IOException e) {
            throw IoReasons.cannotRead(file, e);
        }
    }

    /** Returns the names of all entries, in the order in which they were written. */
    public Set<String> names() {
        return entries.keySet();
    }

    /** Returns the length of an entry's content in bytes. */
    public long bytes(String name) throws IOException {
        return entry(name).bytes();
    }

    /** Returns a whole number. */
    public long readLong(String name) throws IOException {
        return small(name, EntryType.LONG).get(LONG, 0);
    }

    /** Returns a number. */
    public double readDouble(String name) throws IOException {
        return Double.longBitsToDouble(small(name, EntryType.DOUBLE).get(LONG, 0));
    }

    /** Returns a text. */
    public String readText(String name) throws IOException {
        return new String(small(name, EntryType.TEXT).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    /**
     * Checks that a text is the one that its reader expects.
     *
     * @throws RefusedException if it is another one, which the message says, or is missing
     */
    public void requireText(String name, String expected) throws IOException {
        String found = readText(name);
        if (!found.equals(expected)) {
            throw new RefusedException(
                    file + ": " + entry(name) + " is \"" + found + "\", and not \"" + expected + '"');
        }
    }

    private MemorySegment small(String name, EntryType type) throws IOException {
        Entry entry = entry(name, type);
        if (entry.bytes() > Integer.MAX_VALUE - 8) {
            throw new RefusedException(file + ": " + entry + " is longer than texts can be");
        }
        MemorySegment content = MemorySegment.ofArray(new byte[(int) entry.bytes()]);
        read(entry, transfer -> transfer.move(content));
        return content;
    }

    /**
     * Reads into memory.
     *
     * @throws RefusedException if the entry has not the length of the memory, is damaged, missing or of another type;
     *     the memory may have bytes of a damaged entry then
     */
    public void readBytes(String name, MemorySegment content) throws IOException {
        Entry entry = entry(name, EntryType.BYTES);
        requireLength(entry, content.byteSize());
        read(entry, transfer -> transfer.move(content));
    }

    /**
     * Reads into pieces of memory, in the order of the content.
     *
     * @param bytes the length of all pieces together
     * @throws RefusedException as {@link #readBytes(String, MemorySegment)}
     * @throws IllegalStateException if the pieces have another length
     */
    public void readBytes(String name, long bytes, Pieces pieces) throws IOException {
        Entry entry = entry(name, EntryType.BYTES);
        requireLength(entry, bytes);
        read(entry, pieces);
    }

    /**
     * Returns a value.
     *
     * @throws RefusedException as {@link #readBytes(String, MemorySegment)}
     * @throws IOException if the entry is none of the codec's values, as far as that can be seen
     */
    public <T> T readValue(String name, Codec<T> codec) throws IOException {
        Entry entry = entry(name, EntryType.BYTES);
        List<T> value = new ArrayList<>(1);
        read(entry, transfer -> value.add(Codecs.read(codec, transfer, entry.bytes())));
        return value.getFirst();
    }

    private void requireLength(Entry entry, long bytes) throws RefusedException {
        if (entry.bytes() != bytes) {
            throw new RefusedException(file + ": " + entry + " is to be read into " + bytes + " bytes");
        }
    }

    /**
     * Reads all contents and compares their checksums, so that nothing of a damaged file is used.
     *
     * @throws RefusedException if one is damaged
     */
    public void check() throws IOException {
        for (Entry entry : entries.values()) {
            try {
                in.start(entry.offset(), entry.bytes());
                in.skip();
                requireChecksum(entry);
            } catch (RefusedException e) {
                throw e;
            } catch (IOException e) {
                throw IoReasons.cannotRead(file, e);
            }
        }
    }

    private void read(Entry entry, Pieces pieces) throws IOException {
        if (reading) {
            throw new IllegalStateException(file + ": " + entry + " is asked for while another one is being read");
        }
        Progress progress = new Progress(entry.name(), entry.bytes());
        reading = true;
        try {
            in.start(entry.offset(), entry.bytes());
            pieces.each(piece -> in.get(progress.count(piece)));
            progress.requireWhole();
            requireChecksum(entry);
        } catch (RefusedException e) {
            throw e;
        } catch (IOException e) {
            throw IoReasons.cannotRead(file, e);
        } finally {
            reading = false;
        }
    }

    private void requireChecksum(Entry entry) throws IOException {
        int found = in.checksum();
        MemorySegment stated = MemorySegment.ofArray(new byte[Integer.BYTES]);
        in.start(entry.offset() + entry.bytes(), stated.byteSize());
        in.get(stated);
        if (found != stated.get(INT, 0)) {
            throw new RefusedException(file + " is damaged: " + entry + " has the checksum " + Head.text(found)
                    + ", and was written with " + Head.text(stated.get(INT, 0)));
        }
    }

    private Entry entry(String name, EntryType type) throws RefusedException {
        Entry entry = entry(name);
        if (entry.type() != type) {
            throw new RefusedException(
                    file + ": " + entry + " is of the type " + entry.type().text() + ", not " + type.text());
        }
        return entry;
    }

    private Entry entry(String name) throws RefusedException {
        Entry entry = entries.get(Objects.requireNonNull(name, "name"));
        if (entry == null) {
            throw new RefusedException(file + " has no entry \"" + name + '"' + NearestName.hint(name, names()));
        }
        return entry;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
