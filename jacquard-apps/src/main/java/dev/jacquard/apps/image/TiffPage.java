package dev.jacquard.apps.image;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One page of a TIFF: the places of its blocks, row by row, and how they are stored. A block is a tile, or a strip,
 * which is as wide as the image.
 *
 * @param compression how the blocks are stored
 * @param predictor 1 for none, 2 for differences from the left neighbour, 3 for those of the bytes of numbers
 * @param whiteIsZero whether the file stores white as 0; {@link TiffReader} turns that round
 * @param palette per sample of the file, the 16-bit sample of the image; null if these are the same
 * @param blockWidth columns of every block
 * @param blockHeight rows of every block; of strips the last may have fewer
 * @param isTiled true if blocks at the right and at the bottom are as large as the others
 * @param offsets where each block starts in the file; not copied, not to be written
 * @param lengths bytes of each block in the file; not copied, not to be written
 */
record TiffPage(
        Compression compression,
        int predictor,
        boolean whiteIsZero,
        short @Nullable [] palette,
        int blockWidth,
        int blockHeight,
        boolean isTiled,
        long[] offsets,
        long[] lengths) {
    /** The storage of a TIFF's blocks, of the ways that are read. */
    enum Compression {
        NONE(1, 1),
        LZW(5, 2731),
        DEFLATE(8, 1040),
        OLD_DEFLATE(32946, 1040),
        PACK_BITS(32773, 64);

        /** The value of the file's compression tag. */
        private final int tag;
        /** The most bytes that one byte of a block can stand for. */
        private final int most;

        Compression(int tag, int most) {
            this.tag = tag;
            this.most = most;
        }

        /**
         * Returns true if files may use a predictor with this compression (section 14 of the specification: not with
         * PackBits).
         */
        boolean mayPredict() {
            return this == LZW || this == DEFLATE || this == OLD_DEFLATE;
        }

        /** Returns the most bytes that {@code packed} bytes can be. */
        long mostBytes(long packed) {
            return packed * most + most;
        }

        /** The one with this value of the compression tag, or null if it is not read. */
        static @Nullable Compression of(long tag) {
            return Arrays.stream(values())
                    .filter(one -> one.tag == tag)
                    .findFirst()
                    .orElse(null);
        }
    }

    int blocks() {
        return offsets.length;
    }

    /** Returns the number of blocks beside each other in an image of {@code width} columns. */
    int across(int width) {
        return (width + blockWidth - 1) / blockWidth;
    }

    /** Returns the rows that block {@code block} has in the file, for an image of {@code width} x {@code height}. */
    int rowsOf(int block, int width, int height) {
        return isTiled ? blockHeight : Math.min(blockHeight, height - block / across(width) * blockHeight);
    }

    /** Returns "strip 3 of 8", for messages. */
    String name(int block) {
        return (isTiled ? "tile " : "strip ") + (block + 1) + " of " + blocks();
    }
}
