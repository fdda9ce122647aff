package dev.jacquard.apps.image;

import java.util.Arrays;
import java.util.zip.DataFormatException;

/**
 * Undoes LZW compression as section 13 of the TIFF 6.0 specification describes it. Each code is checked: a code that is
 * not in the table yet is an error, never a guess.
 */
final class Lzw {
    private static final int CLEAR = 256;
    private static final int END = 257;
    private static final int FIRST = 258;
    private static final int MOST = 4096;

    private final byte[] packed;
    private final byte[] out;
    /** Per code, where its text begins in the output, and how long it is: each is a piece of what is there already. */
    private final int[] start = new int[MOST];

    private final int[] length = new int[MOST];
    private int next = FIRST;
    private int bits = 9;
    private int written;
    private long read;

    private Lzw(byte[] packed, int need) {
        this.packed = packed;
        this.out = new byte[need];
    }

    /**
     * Returns up to {@code need} bytes: fewer if the strip ends early.
     *
     * @throws DataFormatException if a code is not in the table, or the strip is of the kind from before TIFF 6.0
     */
    static byte[] decode(byte[] packed, int need) throws DataFormatException {
        if (packed.length > 1 && packed[0] == 0 && (packed[1] & 1) == 1) {
            throw new DataFormatException("it is of the old kind, from before TIFF 6.0, which is not read");
        }
        Lzw lzw = new Lzw(packed, need);
        lzw.decode();
        return lzw.written == need ? lzw.out : Arrays.copyOf(lzw.out, lzw.written);
    }

    private void decode() throws DataFormatException {
        boolean isFirst = true;
        int before = 0;
        while (written < out.length) {
            int code = code();
            if (code < 0 || code == END) {
                return;
            }
            if (code == CLEAR) {
                next = FIRST;
                bits = 9;
                isFirst = true;
                continue;
            }
            int begin = written;
            if (isFirst) {
                if (code > END) {
                    throw wrong(code);
                }
                put((byte) code);
                isFirst = false;
            } else {
                emit(code, before);
            }
            before = begin;
        }
    }

    /** Writes the text of a code; adds the text of the code before it, at {@code before}, with its first byte. */
    private void emit(int code, int before) throws DataFormatException {
        int begin = written;
        if (code > next) {
            throw wrong(code);
        }
        if (next < MOST) { // the text that is about to be complete: it may be this code
            start[next] = before;
            length[next] = begin - before + 1;
        }
        if (code < CLEAR) {
            put((byte) code);
        } else {
            int from = start[code];
            int count = Math.min(length[code], out.length - written);
            for (int i = 0; i < count; i++) { // byte by byte: the end may be the beginning
                out[written++] = out[from + i];
            }
        }
        if (next < MOST) {
            next++;
            if (next == (1 << bits) - 1 && bits < 12) { // one code early: the specification's note on compatibility
                bits++;
            }
        }
    }

    private void put(byte value) {
        out[written++] = value;
    }

    /** Returns the next code; -1 at the end of the strip. */
    private int code() {
        if (read + bits > 8L * packed.length) {
            return -1;
        }
        int at = (int) (read >>> 3);
        int word = ((packed[at] & 0xFF) << 16)
                | ((at + 1 < packed.length ? packed[at + 1] & 0xFF : 0) << 8)
                | (at + 2 < packed.length ? packed[at + 2] & 0xFF : 0);
        int code = (word >>> (24 - bits - (int) (read & 7))) & ((1 << bits) - 1);
        read += bits;
        return code;
    }

    private DataFormatException wrong(int code) {
        return new DataFormatException("code " + code + " comes before it is defined");
    }
}
