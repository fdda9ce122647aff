package dev.jacquard.apps.image;

import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import dev.jacquard.apps.image.TiffPage.Compression;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads the places of a page's strips or tiles, and how they are stored. */
final class TiffPageParser {
    private static final int COMPRESSION = 259;
    private static final int PHOTOMETRIC = 262;
    private static final int FILL_ORDER = 266;
    private static final int STRIP_OFFSETS = 273;
    private static final int ROWS_PER_STRIP = 278;
    private static final int STRIP_BYTE_COUNTS = 279;
    private static final int PREDICTOR = 317;
    private static final int COLOR_MAP = 320;
    private static final int TILE_WIDTH = 322;
    private static final int TILE_HEIGHT = 323;
    private static final int TILE_OFFSETS = 324;
    private static final int TILE_BYTE_COUNTS = 325;

    private final TiffWindow window;
    private final TiffDirectory tags;
    private final int width;
    private final int height;
    private final Samples samples;

    TiffPageParser(TiffWindow window, TiffDirectory tags, int width, int height, Samples samples) {
        this.window = window;
        this.tags = tags;
        this.width = width;
        this.height = height;
        this.samples = samples;
    }

    TiffPage parse() throws IOException {
        boolean isTiled = tags.has(TILE_WIDTH);
        int blockWidth = isTiled ? tileSize(TILE_WIDTH) : width;
        int blockHeight =
                isTiled ? tileSize(TILE_HEIGHT) : (int) Math.clamp(tags.value(ROWS_PER_STRIP, height), 1L, height);
        long blocks = (long) Math.ceilDiv(width, blockWidth) * Math.ceilDiv(height, blockHeight);
        if (samples.rowBytes(blockWidth) * blockHeight > Integer.MAX_VALUE - 8 || blocks > window.length()) {
            throw refused("it has " + blocks + " blocks of " + blockWidth + " x " + blockHeight
                    + " samples, which no file of " + window.length() + " bytes can hold");
        }
        Compression compression = compression();
        int predictor = predictor(compression);
        String block = isTiled ? "tile" : "strip";
        // Some writers leave the tag of tiles out, and use that of strips.
        int places = isTiled && tags.has(TILE_OFFSETS) ? TILE_OFFSETS : STRIP_OFFSETS;
        long[] offsets = tags.values(places, (int) blocks);
        if (offsets == null) {
            throw refused("it needs " + blocks + " " + block + " offsets and has " + tags.count(places));
        }
        TiffPage page = new TiffPage(
                compression,
                predictor,
                tags.value(PHOTOMETRIC, 1) == 0,
                tags.value(PHOTOMETRIC, 1) == 3 ? palette() : null,
                blockWidth,
                blockHeight,
                isTiled,
                offsets,
                new long[(int) blocks]);
        lengths(page, block);
        for (int i = 0; i < blocks; i++) {
            check(page, i);
        }
        return page;
    }

    private int tileSize(int tag) throws IOException {
        long size = tags.value(tag, 0);
        if (size < 1 || size > Integer.MAX_VALUE) {
            throw refused("its tiles are " + tags.value(TILE_WIDTH, 0) + " x " + tags.value(TILE_HEIGHT, 0));
        }
        return (int) size;
    }

    private Compression compression() throws IOException {
        long tag = tags.value(COMPRESSION, 1);
        Compression compression = Compression.of(tag);
        if (compression == null) {
            String name = switch ((int) tag) {
                case 2, 3, 4 -> " (fax)";
                case 6, 7 -> " (JPEG)";
                case 33003, 33005, 34712 -> " (JPEG 2000)";
                case 34887 -> " (LERC)";
                case 34925 -> " (LZMA)";
                case 50000 -> " (Zstandard)";
                case 50001 -> " (WebP)";
                default -> "";
            };
            throw refused("its compression is number " + tag + name + "; none, PackBits, LZW and deflate are read");
        }
        if (tags.value(FILL_ORDER, 1) != 1) {
            throw refused("its bits are stored in reverse (fill order 2), which is not read");
        }
        return compression;
    }

    private int predictor(Compression compression) throws IOException {
        long predictor = tags.value(PREDICTOR, 1);
        if (predictor < 1 || predictor > 3) {
            throw refused("its predictor is number " + predictor
                    + "; none (1), horizontal (2) and floating-point (3) are read");
        }
        if (!compression.mayPredict()) {
            return 1;
        }
        if ((predictor == 3 && samples != Samples.FLOAT_32) || (predictor == 2 && samples == Samples.UNSIGNED_12)) {
            throw refused(
                    "its predictor is number " + predictor + ", which does not go with " + samples.text() + " samples");
        }
        return (int) predictor;
    }

    /** Sets the lengths of the blocks; those that the file does not tell follow from what is there. */
    private void lengths(TiffPage page, String block) throws IOException {
        int tag = page.isTiled() && tags.has(TILE_BYTE_COUNTS) ? TILE_BYTE_COUNTS : STRIP_BYTE_COUNTS;
        long[] known = tags.values(tag, page.blocks());
        if (known == null && tags.count(tag) > 0) {
            throw refused("it needs " + page.blocks() + " " + block + " byte counts and has " + tags.count(tag));
        }
        if (known != null) {
            System.arraycopy(known, 0, page.lengths(), 0, page.blocks());
        }
        long[] ordered = null;
        for (int i = 0; i < page.blocks(); i++) {
            if (page.lengths()[i] == 0) {
                if (page.compression() == Compression.NONE) {
                    page.lengths()[i] = bytesOf(page, i);
                    continue;
                }
                if (ordered == null) {
                    ordered = page.offsets().clone();
                    Arrays.sort(ordered);
                }
                page.lengths()[i] = end(ordered, page.offsets()[i]) - page.offsets()[i];
            }
        }
    }

    /** Returns where the block at {@code offset} ends at the latest: at the next one, or with the file. */
    private long end(long[] ordered, long offset) {
        for (long other : ordered) {
            if (other > offset) {
                return Math.min(other, window.length());
            }
        }
        return window.length();
    }

    private void check(TiffPage page, int block) throws IOException {
        long start = page.offsets()[block];
        long length = page.lengths()[block];
        if (start < 0 || length < 0 || length > window.length() - start) {
            throw refused("truncated: " + page.name(block) + " ends at byte " + Long.toUnsignedString(start + length)
                    + " of " + window.length());
        }
        long need = bytesOf(page, block);
        if (page.compression() == Compression.NONE && length < need) {
            throw refused("truncated: " + page.name(block) + " has " + length + " bytes and needs " + need);
        }
        if (length == 0 || page.compression().mostBytes(length) < need) {
            throw refused("truncated: " + page.name(block) + " has " + length + " bytes, which are too few for " + need
                    + " bytes of samples");
        }
        if (length > Integer.MAX_VALUE - 8) {
            throw refused(page.name(block) + " has " + length + " bytes; at most 2,147,483,639 are read");
        }
    }

    private long bytesOf(TiffPage page, int block) {
        return samples.rowBytes(page.blockWidth()) * page.rowsOf(block, width, height);
    }

    /** Returns the 16-bit gray values of the samples; null if the palette is that of an image without one. */
    private short @Nullable [] palette() throws IOException {
        if (samples != Samples.UNSIGNED_8 && samples != Samples.UNSIGNED_16) {
            throw refused("it has a palette and " + samples.text() + " samples");
        }
        int size = 1 << samples.bits();
        long[] colors = tags.values(COLOR_MAP, 3 * size);
        if (colors == null) {
            throw refused("its palette has " + tags.count(COLOR_MAP) + " values, and needs " + 3 * size);
        }
        short[] gray = new short[size];
        boolean isPlain = true;
        boolean isPlainOf8 = true; // some writers use values up to 255
        for (int i = 0; i < size; i++) {
            if (colors[i] != colors[size + i] || colors[i] != colors[2 * size + i]) {
                throw refused("an image with a colour palette; only gray is read: convert it to 8 or 16-bit grayscale");
            }
            gray[i] = (short) colors[i];
            isPlain &= colors[i] == (samples.bits() == 8 ? 257L * i : i);
            isPlainOf8 &= colors[i] == i || colors[i] == 256L * i;
        }
        return isPlain || isPlainOf8 ? null : gray;
    }

    private ImageFormatException refused(String reason) {
        return tags.damaged(reason);
    }
}
