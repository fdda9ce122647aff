package dev.jacquard.apps.image;

import dev.jacquard.apps.image.TiffHeader.Compression;
import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/** Turns a TIFF's directory into a {@link TiffHeader}, and refuses unsupported files, with the reason. */
final class TiffHeaderParser {
    private static final int WIDTH = 256;
    private static final int HEIGHT = 257;
    private static final int BITS_PER_SAMPLE = 258;
    private static final int COMPRESSION = 259;
    private static final int PHOTOMETRIC = 262;
    private static final int FILL_ORDER = 266;
    private static final int STRIP_OFFSETS = 273;
    private static final int SAMPLES_PER_PIXEL = 277;
    private static final int ROWS_PER_STRIP = 278;
    private static final int STRIP_BYTE_COUNTS = 279;
    private static final int PREDICTOR = 317;
    private static final int TILE_WIDTH = 322;
    private static final int SAMPLE_FORMAT = 339;

    /** The largest array of bytes. */
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

    private final Path file;
    private final TiffDirectory tags;

    private TiffHeaderParser(Path file, TiffDirectory tags) {
        this.file = file;
        this.tags = tags;
    }

    static TiffHeader parse(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw refused("it is a folder, not a TIFF", file);
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) { // opening a pipe may never return
            throw refused("it is a pipe or a device, not a file", file);
        }
        try (FileChannel channel = FileChannel.open(file)) {
            return new TiffHeaderParser(file, TiffDirectory.read(file, channel)).parse();
        } catch (NoSuchFileException e) {
            throw new ImageFormatException(file, "there is no such file", e);
        }
    }

    private TiffHeader parse() throws IOException {
        if (tags.fileLength() > MOST_BYTES) {
            throw refused("it has " + tags.fileLength() + " bytes; files of 2 GiB and more are not read");
        }
        int width = size(WIDTH, "width");
        int height = size(HEIGHT, "height");
        checkOneChannel();
        int bits = bits();
        checkSamples(width, height);
        Compression compression = compression();
        if (tags.has(TILE_WIDTH)) {
            throw refused("it is stored in tiles; save it in strips");
        }
        int rowsPerStrip = (int) Math.clamp(tags.value(ROWS_PER_STRIP, height), 1L, (long) height);
        int strips = Math.ceilDiv(height, rowsPerStrip);
        long[] offsets = strips(STRIP_OFFSETS, strips, "offsets");
        boolean lengthImplied = strips == 1 && compression == Compression.NONE && !tags.has(STRIP_BYTE_COUNTS);
        long[] lengths = lengthImplied
                ? new long[] {(long) width * height * (bits / 8)}
                : strips(STRIP_BYTE_COUNTS, strips, "byte counts");
        TiffHeader header = new TiffHeader(
                file,
                tags.fileLength(),
                width,
                height,
                bits,
                tags.order(),
                compression,
                tags.value(PREDICTOR, 1) == 2 && compression.mayPredict(),
                tags.value(PHOTOMETRIC, 1) == 0,
                rowsPerStrip,
                offsets,
                lengths);
        checkStrips(header);
        return header;
    }

    private int size(int tag, String name) throws IOException {
        long value = tags.value(tag, 0);
        if (value < 1 || value > Integer.MAX_VALUE) {
            throw refused("its " + name + " is " + value);
        }
        return (int) value;
    }

    private void checkOneChannel() throws IOException {
        long photometric = tags.value(PHOTOMETRIC, 1);
        if (photometric == 2) {
            throw refused("an RGB image; only one channel of gray is read: split its channels first");
        }
        if (photometric == 3) {
            throw refused("an image with a colour palette; only gray is read: convert it to 8 or 16-bit grayscale");
        }
        if (photometric > 1) {
            throw refused("its photometric interpretation is " + photometric + "; only gray (0 or 1) is read");
        }
        long samples = tags.value(SAMPLES_PER_PIXEL, 1);
        if (samples != 1) {
            throw refused("it has " + samples + " samples per pixel; only one is read: split its channels first");
        }
    }

    private int bits() throws IOException {
        long bits = tags.value(BITS_PER_SAMPLE, 1);
        long format = tags.value(SAMPLE_FORMAT, 1);
        String kind = format == 3 ? "floating-point" : format == 2 ? "signed" : "unsigned";
        if ((bits != 8 && bits != 16) || format == 2 || format == 3) {
            throw refused("its samples are " + bits + "-bit " + kind + "; only 8 and 16-bit unsigned ones are read");
        }
        return (int) bits;
    }

    private void checkSamples(int width, int height) throws IOException {
        if ((long) width * height > Integer.MAX_VALUE - 8) {
            throw refused("it has " + width + " x " + height + " samples; at most 2,147,483,639 fit one image");
        }
    }

    private Compression compression() throws IOException {
        long tag = tags.value(COMPRESSION, 1);
        Compression compression = Compression.of(tag);
        if (compression == null) {
            throw refused("its compression is number " + tag + "; none, PackBits, LZW and deflate are read");
        }
        if (tags.value(FILL_ORDER, 1) != 1) {
            throw refused("its bits are stored in reverse (fill order 2), which is not read");
        }
        long predictor = tags.value(PREDICTOR, 1);
        if (predictor != 1 && predictor != 2) {
            throw refused("its predictor is number " + predictor + "; none (1) and horizontal (2) are read");
        }
        return compression;
    }

    private long[] strips(int tag, int strips, String name) throws IOException {
        long[] values = tags.values(tag, strips);
        if (values == null || values.length != strips) {
            throw refused("it needs " + strips + " strip " + name + " and has " + (values == null ? 0 : values.length));
        }
        return values;
    }

    private void checkStrips(TiffHeader header) throws IOException {
        for (int i = 0; i < header.stripOffsets().length; i++) {
            long end = header.stripOffsets()[i] + header.stripLengths()[i];
            if (end > header.fileLength()) {
                throw refused("truncated: strip " + (i + 1) + " of " + header.stripOffsets().length + " ends at byte "
                        + end + " of " + header.fileLength());
            }
            long need = header.bytesOf(header.rowsOf(i));
            if (header.compression() == Compression.NONE && header.stripLengths()[i] < need) {
                throw refused("truncated: strip " + (i + 1) + " has " + header.stripLengths()[i] + " bytes and needs "
                        + need);
            }
        }
        if (Arrays.stream(header.stripLengths()).anyMatch(length -> length == 0)) {
            throw refused("truncated: it has an empty strip");
        }
    }

    private ImageFormatException refused(String reason) {
        return refused(reason, file);
    }

    private static ImageFormatException refused(String reason, Path file) {
        return new ImageFormatException(file, reason);
    }
}
