package dev.jacquard.apps.image;

import dev.jacquard.apps.image.TiffHeader.Compression;
import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads grayscale TIFF files of 8 or 16 bits in strips. Strips without compression are copied as they lie in the file;
 * the others go through {@link StripCodec}.
 *
 * <p>The JDK's own image library is not used: cold it takes twice as long per plate, it cannot undo the predictor for
 * 16-bit samples, and it passes over strips that end early.
 */
public final class TiffReader {
    private byte[] scratch = {};

    /** A reader that keeps its memory from one file to the next. Confined to one thread at a time. */
    public TiffReader() {}

    /** Reads {@code file}; see {@link TiffHeader#probe} for files that are refused. */
    public static GrayImage read(Path file) throws IOException {
        return read(TiffHeader.probe(file));
    }

    /** Reads the image with a header that was probed before; a file with a length that changed since is refused. */
    public static GrayImage read(TiffHeader header) throws IOException {
        return new TiffReader().read(header, new short[header.width() * header.height()]);
    }

    /**
     * Reads the image with a header that was probed before into {@code samples}, which the image then holds.
     *
     * @param samples {@code height * width} of them
     */
    public GrayImage read(TiffHeader header, short[] samples) throws IOException {
        GrayImage image = new GrayImage(header.width(), header.height(), header.bits(), samples);
        byte[] file = bytes(header);
        for (int strip = 0; strip < header.stripOffsets().length; strip++) {
            readStrip(header, strip, file, samples);
        }
        if (header.predicted()) {
            sumRows(samples, header);
        }
        if (header.whiteIsZero()) {
            invert(samples, header.bits());
        }
        return image;
    }

    /** The bytes of the file, from the start of {@link #scratch}. */
    private byte[] bytes(TiffHeader header) throws IOException {
        try (FileChannel channel = FileChannel.open(header.file())) {
            long now = channel.size();
            if (now != header.fileLength()) {
                throw refused(header, "it had " + header.fileLength() + " bytes when it was checked and has " + now);
            }
            if (scratch.length < now) {
                scratch = new byte[(int) now];
            }
            ByteBuffer bytes = ByteBuffer.wrap(scratch, 0, (int) now);
            while (bytes.hasRemaining()) {
                if (channel.read(bytes) < 0) {
                    throw refused(header, "truncated while it was read");
                }
            }
            return scratch;
        } catch (NoSuchFileException e) {
            throw new ImageFormatException(header.file(), "it was there when it was checked and is gone", e);
        }
    }

    private static void readStrip(TiffHeader header, int strip, byte[] file, short[] samples) throws IOException {
        int first = strip * header.rowsPerStrip() * header.width();
        int count = header.rowsOf(strip) * header.width();
        int start = (int) header.stripOffsets()[strip];
        byte[] from = file;
        if (header.compression() != Compression.NONE) {
            from = StripCodec.decompress(header, strip, file);
            start = 0;
        }
        if (header.bits() == 16) {
            words(from, start, header.order()).asShortBuffer().get(samples, first, count);
        } else {
            for (int i = 0; i < count; i++) {
                samples[first + i] = (short) (from[start + i] & 0xFF);
            }
        }
    }

    private static ByteBuffer words(byte[] bytes, int start, ByteOrder order) {
        return ByteBuffer.wrap(bytes).order(order).position(start);
    }

    /** Undoes the horizontal predictor: each sample is the sum of the differences from its row's start. */
    private static void sumRows(short[] samples, TiffHeader header) {
        int mask = (1 << header.bits()) - 1;
        for (int start = 0; start < samples.length; start += header.width()) {
            for (int i = start + 1; i < start + header.width(); i++) {
                samples[i] = (short) ((samples[i] + samples[i - 1]) & mask);
            }
        }
    }

    private static void invert(short[] samples, int bits) {
        int white = (1 << bits) - 1;
        for (int i = 0; i < samples.length; i++) {
            samples[i] = (short) (white - (samples[i] & white));
        }
    }

    private static ImageFormatException refused(TiffHeader header, String reason) {
        return new ImageFormatException(header.file(), reason);
    }
}
