package dev.jacquard.apps.image;

import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import dev.jacquard.apps.image.TiffHeader.Range;
import dev.jacquard.apps.image.TiffPage.Compression;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Reads grayscale TIFF files in strips or tiles. Blocks without compression are copied as they lie in the file; the
 * others go through {@link BlockCodec}.
 *
 * <p>Samples become unsigned ones of 8 or 16 bits: signed ones are increased by 32,768, 12-bit ones stay as they are,
 * and floating-point ones are mapped from the header's range to 0 to 65,535.
 *
 * <p>The JDK's own image library is not used: cold it takes twice as long per plate, it cannot undo the predictor for
 * 16-bit samples, and it passes over strips that end early.
 */
public final class TiffReader {
    /** Blocks with this many bytes between them are read one by one. */
    private static final long GAP = 1 << 16;

    private byte[] scratch = {};
    private short[] other = {};

    /** A reader that keeps its memory from one file to the next. Confined to one thread at a time. */
    public TiffReader() {}

    /** Reads {@code file}; see {@link TiffHeader#probe} for files that are refused. */
    public static GrayImage read(Path file) throws IOException {
        TiffHeader header = TiffHeader.probe(file);
        return read(header.isFloat() ? header.withRange(rangeOf(header)) : header);
    }

    /** Reads the image with a header that was probed before; a file with a length that changed since is refused. */
    public static GrayImage read(TiffHeader header) throws IOException {
        return new TiffReader().read(header, new short[header.width() * header.height()]);
    }

    /**
     * Returns the least and the largest finite sample of a floating-point image.
     *
     * @throws ImageFormatException if it has no finite sample
     */
    public static Range rangeOf(TiffHeader header) throws IOException {
        float[] range = {Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};
        TiffReader reader = new TiffReader();
        for (TiffPage page : header.pages()) {
            reader.readPage(header, page, (bytes, at, count, to) -> {
                for (int i = 0; i < count; i++) {
                    float value = bytes.getFloat(at + 4 * i);
                    if (Float.isFinite(value)) {
                        range[0] = Math.min(range[0], value);
                        range[1] = Math.max(range[1], value);
                    }
                }
            });
        }
        if (range[0] > range[1]) {
            throw refused(header, "none of its samples is a finite number");
        }
        return new Range(range[0], range[1]);
    }

    /**
     * Reads the image with a header that was probed before into {@code samples}, which the image then holds. Of several
     * pages, each sample is the largest.
     *
     * @param samples {@code height * width} of them
     */
    public GrayImage read(TiffHeader header, short[] samples) throws IOException {
        GrayImage image = new GrayImage(header.width(), header.height(), header.bits(), samples);
        read(header, header.pages().getFirst(), samples);
        for (TiffPage page : header.pages().subList(1, header.pages().size())) {
            if (other.length < samples.length) {
                other = new short[samples.length];
            }
            read(header, page, other);
            for (int i = 0; i < samples.length; i++) {
                samples[i] = (short) Math.max(samples[i] & 0xFFFF, other[i] & 0xFFFF);
            }
        }
        return image;
    }

    private void read(TiffHeader header, TiffPage page, short[] samples) throws IOException {
        readPage(header, page, row(header, samples));
        short[] palette = page.palette();
        int count = header.width() * header.height();
        if (palette != null) {
            for (int i = 0; i < count; i++) {
                samples[i] = palette[samples[i] & 0xFFFF];
            }
        }
        if (page.whiteIsZero()) {
            int white = header.samples() == Samples.UNSIGNED_12 ? 0xFFF : (1 << header.bits()) - 1;
            for (int i = 0; i < count; i++) {
                samples[i] = (short) (white - (samples[i] & white));
            }
        }
    }

    /** Takes a row of samples, or a part of one, from its bytes. */
    @FunctionalInterface
    private interface Row {
        /**
         * Takes {@code count} samples.
         *
         * @param bytes in the order of the file
         * @param at where the first sample begins
         * @param to the number of the first among the samples of the image
         */
        void take(ByteBuffer bytes, int at, int count, int to);
    }

    private static Row row(TiffHeader header, short[] samples) {
        Range range = header.range();
        double scale = range.largest() > range.least() ? 65_535.0 / ((double) range.largest() - range.least()) : 0;
        return switch (header.samples()) {
            case UNSIGNED_8 ->
                (bytes, at, count, to) -> {
                    for (int i = 0; i < count; i++) {
                        samples[to + i] = (short) (bytes.get(at + i) & 0xFF);
                    }
                };
            case UNSIGNED_12 ->
                (bytes, at, count, to) -> {
                    for (int i = 0; i < count; i++) {
                        int bit = 12 * i;
                        int word = ((bytes.get(at + bit / 8) & 0xFF) << 8) | (bytes.get(at + bit / 8 + 1) & 0xFF);
                        samples[to + i] = (short) (bit % 8 == 0 ? word >> 4 : word & 0xFFF);
                    }
                };
            case UNSIGNED_16 ->
                (bytes, at, count, to) -> bytes.position(at).asShortBuffer().get(samples, to, count);
            case SIGNED_16 ->
                (bytes, at, count, to) -> {
                    for (int i = 0; i < count; i++) {
                        samples[to + i] = (short) (bytes.getShort(at + 2 * i) ^ 0x8000);
                    }
                };
            case FLOAT_32 ->
                (bytes, at, count, to) -> {
                    for (int i = 0; i < count; i++) {
                        double above = (double) bytes.getFloat(at + 4 * i) - range.least();
                        samples[to + i] = (short) Math.clamp(Math.round(above * scale), 0, 65_535); // 0 for no number
                    }
                };
        };
    }

    /** Gives the rows of each block to {@code row}. */
    private void readPage(TiffHeader header, TiffPage page, Row row) throws IOException {
        try (FileChannel channel = FileChannel.open(header.file())) {
            long now = channel.size();
            if (now != header.fileLength()) {
                throw refused(header, "it had " + header.fileLength() + " bytes when it was checked and has " + now);
            }
            long from = Arrays.stream(page.offsets()).min().orElse(0);
            long to = from;
            long all = 0;
            for (int block = 0; block < page.blocks(); block++) {
                to = Math.max(to, page.offsets()[block] + page.lengths()[block]);
                all += page.lengths()[block] + GAP / page.blocks();
            }
            boolean atOnce = to - from <= Math.min(all, Integer.MAX_VALUE - 8);
            if (atOnce) {
                fill(header, channel, from, (int) (to - from));
            }
            for (int block = 0; block < page.blocks(); block++) {
                int length = (int) page.lengths()[block];
                if (!atOnce) {
                    fill(header, channel, page.offsets()[block], length);
                }
                readBlock(header, page, block, atOnce ? (int) (page.offsets()[block] - from) : 0, row);
            }
        } catch (NoSuchFileException e) {
            throw new ImageFormatException(header.file(), "it was there when it was checked and is gone", e);
        }
    }

    /** Reads {@code count} bytes of the file to the start of {@link #scratch}. */
    private void fill(TiffHeader header, FileChannel channel, long from, int count) throws IOException {
        if (scratch.length < count) {
            scratch = new byte[count];
        }
        ByteBuffer bytes = ByteBuffer.wrap(scratch, 0, count);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, from + bytes.position()) < 0) {
                throw refused(header, "truncated while it was read");
            }
        }
    }

    private void readBlock(TiffHeader header, TiffPage page, int block, int at, Row row) throws ImageFormatException {
        int rows = page.rowsOf(block, header.width(), header.height());
        int rowBytes = (int) header.samples().rowBytes(page.blockWidth());
        byte[] bytes = scratch;
        int start = at;
        if (page.compression() != Compression.NONE) {
            byte[] packed = Arrays.copyOfRange(scratch, at, at + (int) page.lengths()[block]);
            bytes = BlockCodec.decompress(header, page, block, packed, rows * rowBytes);
            start = 0;
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(header.order());
        if (page.predictor() != 1) {
            buffer =
                    Predictors.undo(page.predictor(), header.samples(), bytes, header.order(), rows, page.blockWidth());
        }
        int across = page.across(header.width());
        int left = block % across * page.blockWidth();
        int top = block / across * page.blockHeight();
        int count = Math.min(page.blockWidth(), header.width() - left);
        int height = Math.min(rows, header.height() - top);
        if (count == header.width() && count == page.blockWidth() && header.samples() != Samples.UNSIGNED_12) {
            row.take(buffer, start, count * height, top * count);
            return;
        }
        for (int y = 0; y < height; y++) {
            row.take(buffer, start + y * rowBytes, count, (top + y) * header.width() + left);
        }
    }

    private static ImageFormatException refused(TiffHeader header, String reason) {
        return new ImageFormatException(header.file(), reason);
    }
}
