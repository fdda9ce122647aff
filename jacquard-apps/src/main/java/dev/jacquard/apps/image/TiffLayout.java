package dev.jacquard.apps.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How a mosaic lies in its file: header, directory, the table of strips, then the strips of 64 rows, little-endian.
 * Below 4 GiB a TIFF, from there on a BigTIFF with offsets of 64 bits.
 *
 * @param width columns
 * @param height rows
 * @param bits of a sample, 8 or 16
 * @param big whether it is a BigTIFF
 */
record TiffLayout(int width, int height, int bits, boolean big) {
    static final int ROWS_PER_STRIP = 64;

    /** The largest TIFF: its offsets have 32 bits. */
    private static final long MOST_BYTES = 0xFFFF_FFFFL;

    private static final int ENTRIES = 11;
    private static final int SHORT = 3;
    private static final int LONG = 4;
    private static final int LONG8 = 16;

    /** The smaller of the two that holds the image. */
    static TiffLayout of(int width, int height, int bits) {
        TiffLayout small = new TiffLayout(width, height, bits, false);
        return small.fileBytes() <= MOST_BYTES ? small : new TiffLayout(width, height, bits, true);
    }

    /** Everything before the first sample. */
    ByteBuffer header() {
        int strips = strips();
        ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(dataStart())).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) 'I').put((byte) 'I');
        if (big) {
            out.putShort((short) 43)
                    .putShort((short) 8)
                    .putShort((short) 0)
                    .putLong(16)
                    .putLong(ENTRIES);
        } else {
            out.putShort((short) 42).putInt(8).putShort((short) ENTRIES);
        }
        int offset = big ? LONG8 : LONG;
        entry(out, 256, LONG, 1, width);
        entry(out, 257, LONG, 1, height);
        entry(out, 258, SHORT, 1, bits);
        entry(out, 259, SHORT, 1, 1);
        entry(out, 262, SHORT, 1, 1);
        entry(out, 273, offset, strips, strips == 1 ? dataStart() : tableStart());
        entry(out, 274, SHORT, 1, 1);
        entry(out, 277, SHORT, 1, 1);
        entry(out, 278, LONG, 1, ROWS_PER_STRIP);
        entry(out, 279, offset, strips, strips == 1 ? stripBytes(0) : tableStart() + (long) offsetBytes() * strips);
        entry(out, 339, SHORT, 1, 1);
        offset(out, 0);
        for (int strip = 0; strip < strips; strip++) {
            offset(out, dataStart() + strip * stripBytes(0));
        }
        for (int strip = 0; strip < strips; strip++) {
            offset(out, stripBytes(strip));
        }
        return out.flip();
    }

    private long fileBytes() {
        return dataStart() + (long) width * height * (bits / 8);
    }

    private int strips() {
        return Math.ceilDiv(height, ROWS_PER_STRIP);
    }

    private long stripBytes(int strip) {
        int rows = Math.min(ROWS_PER_STRIP, height - strip * ROWS_PER_STRIP);
        return (long) rows * width * (bits / 8);
    }

    private int offsetBytes() {
        return big ? 8 : 4;
    }

    private long dataStart() {
        return tableStart() + 2L * offsetBytes() * strips();
    }

    private int tableStart() {
        return big ? 16 + 8 + 20 * ENTRIES + 8 : 8 + 2 + 12 * ENTRIES + 4;
    }

    private void entry(ByteBuffer out, int tag, int type, long count, long value) {
        out.putShort((short) tag).putShort((short) type);
        offset(out, count);
        offset(out, value);
    }

    private void offset(ByteBuffer out, long value) {
        if (big) {
            out.putLong(value);
        } else {
            out.putInt((int) value);
        }
    }
}
