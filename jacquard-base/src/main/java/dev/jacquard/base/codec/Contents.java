package dev.jacquard.base.codec;

import dev.jacquard.base.codec.CheckpointReader.RefusedException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Finds the entries of a file by their heads, and refuses a file that is not whole. Confined to one thread. */
final class Contents {
    private final Path file;
    private final long size;
    private final CheckedInput in;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private String last = "the head of the file";

    Contents(Path file, long size, CheckedInput in) {
        this.file = file;
        this.size = size;
        this.in = in;
    }

    Map<String, Entry> read(String identity) throws IOException {
        long at = readHead(identity);
        while (true) {
            ByteBuffer head = head(at, Head.ENTRY_BYTES, Integer.BYTES, "what follows " + last);
            int code = head.getInt();
            int nameBytes = head.getInt();
            long bytes = head.getLong();
            if (code == Head.END) {
                requireEnd(at, bytes);
                return Collections.unmodifiableMap(entries);
            }
            String name = text(head);
            Entry entry = new Entry(name, type(code, at, bytes), at + headBytes(nameBytes), bytes);
            requireWithin(entry);
            if (entries.put(name, entry) != null) {
                throw new RefusedException(file + " is damaged: it has two entries \"" + name
                        + "\", the second with its" + " head at offset " + at);
            }
            last = "entry \"" + name + '"';
            at = entry.end();
        }
    }

    private static long headBytes(int nameBytes) {
        return (long) Head.ENTRY_BYTES + nameBytes + Integer.BYTES;
    }

    private long readHead(String identity) throws IOException {
        byte[] first = new byte[(int) Math.min(size, Head.MAGIC.length)];
        in.start(0, first.length);
        in.get(MemorySegment.ofArray(first));
        if (!Arrays.equals(first, Head.MAGIC)) {
            throw new RefusedException(file + " is no checkpoint: it begins with the bytes \""
                    + HexFormat.ofDelimiter(" ").formatHex(first) + "\", not \""
                    + HexFormat.ofDelimiter(" ").formatHex(Head.MAGIC) + '"');
        }
        int version =
                bytes(Head.MAGIC.length, Integer.BYTES, "the head of the file").getInt();
        if (version != Head.VERSION) {
            throw new RefusedException(file + " has the format version " + version + " (offset " + Head.MAGIC.length
                    + "); this program reads version " + Head.VERSION);
        }
        ByteBuffer head = head(0, Head.FILE_BYTES, Head.FILE_BYTES - Integer.BYTES, "the head of the file");
        head.position(Head.FILE_BYTES);
        String its = text(head);
        if (!its.equals(identity)) {
            throw new RefusedException(file + " is a checkpoint of \"" + its + "\", not of \"" + identity
                    + "\": give the one of this program, or start without it");
        }
        return head.limit() + (long) Integer.BYTES;
    }

    /**
     * Returns a head with the text after it, without its checksum; the int at {@code lengthAt} is the text's length.
     */
    private ByteBuffer head(long at, int fixed, int lengthAt, String what) throws IOException {
        int length = bytes(at, fixed, what).getInt(lengthAt);
        if (length < 0 || length > Head.MOST_TEXT) {
            throw new RefusedException(
                    file + " is damaged: " + what + " (offset " + at + ") states a text of " + length + " bytes");
        }
        ByteBuffer all = bytes(at, fixed + length + Integer.BYTES, what);
        ByteBuffer head = all.slice(0, fixed + length).order(ByteOrder.LITTLE_ENDIAN);
        int found = Head.checksum(head);
        int stated = all.getInt(fixed + length);
        if (found != stated) {
            throw new RefusedException(file + " is damaged: " + what + " (" + head.limit() + " bytes from offset " + at
                    + " on) has the checksum " + Head.text(found) + ", and was written with " + Head.text(stated));
        }
        return head;
    }

    private ByteBuffer bytes(long at, int count, String what) throws IOException {
        if (count > size - at) {
            throw new RefusedException(file + " is cut: " + what + " has " + count + " bytes or more from offset " + at
                    + " on, and the file ends at " + size);
        }
        byte[] bytes = new byte[count];
        in.start(at, count);
        in.get(MemorySegment.ofArray(bytes));
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static String text(ByteBuffer head) {
        return StandardCharsets.UTF_8.decode(head).toString();
    }

    private EntryType type(int code, long at, long bytes) throws RefusedException {
        return EntryType.of(code)
                .filter(type -> type.allows(bytes))
                .orElseThrow(() -> new RefusedException(file + " is damaged: what follows " + last + " (offset " + at
                        + ") is an entry of the unknown type " + code + " with " + bytes + " bytes"));
    }

    private void requireWithin(Entry entry) throws RefusedException {
        long left = size - entry.offset();
        if (entry.bytes() > left - Integer.BYTES) {
            throw new RefusedException(
                    file + " is cut: " + entry + " is followed by a checksum, and the file ends at " + size);
        }
    }

    private void requireEnd(long at, long count) throws RefusedException {
        if (count != entries.size()) {
            throw new RefusedException(file + " is damaged: its end (offset " + at + ") counts " + count
                    + " entries, and there are " + entries.size());
        }
        long end = at + headBytes(0);
        if (end != size) {
            throw new RefusedException(
                    file + " is damaged: its end is at offset " + end + ", and " + (size - end) + " bytes follow");
        }
    }
}
