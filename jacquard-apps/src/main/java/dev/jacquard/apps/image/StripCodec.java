package dev.jacquard.apps.image;

import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import ij.io.FileInfo;
import ij.io.ImageReader;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses single strips: PackBits and LZW with ImageJ's decoders, deflate with the JDK's. Each strip must deliver
 * all of its bytes, whatever the decoder makes of damaged ones.
 */
final class StripCodec {
    private StripCodec() {}

    /** All bytes of strip {@code strip} (there may be more), out of the bytes of the file. */
    static byte[] decompress(TiffHeader header, int strip, byte[] file) throws ImageFormatException {
        int start = (int) header.stripOffsets()[strip];
        byte[] packed = Arrays.copyOfRange(file, start, start + (int) header.stripLengths()[strip]);
        int need = Math.toIntExact(header.bytesOf(header.rowsOf(strip)));
        byte[] bytes;
        try {
            bytes = switch (header.compression()) {
                case NONE -> packed;
                case PACK_BITS -> new ImageReader(new FileInfo()).packBitsUncompress(packed, need);
                case LZW -> lzw(packed, need);
                case DEFLATE, OLD_DEFLATE -> inflate(packed, need);
            };
        } catch (DataFormatException | IndexOutOfBoundsException | NullPointerException e) {
            throw new ImageFormatException(header.file(), damaged(header, strip, "cannot be decompressed"), e);
        }
        if (bytes.length < need) {
            String found = "is truncated: it has " + bytes.length + " bytes and needs " + need;
            throw new ImageFormatException(header.file(), damaged(header, strip, found));
        }
        return bytes;
    }

    private static byte[] lzw(byte[] packed, int need) {
        FileInfo row = new FileInfo();
        row.width = need;
        row.height = 1;
        ImageReader reader = new ImageReader(row);
        // The decoder stops at the size of the image that its reader read last: so it must
        // have "read" one of this size.
        reader.readPixels(InputStream.nullInputStream(), 0);
        return reader.lzwUncompress(packed);
    }

    private static byte[] inflate(byte[] packed, int need) throws DataFormatException {
        try (Inflater inflater = new Inflater()) {
            inflater.setInput(packed);
            byte[] bytes = new byte[need];
            int done = 0;
            int step;
            while (done < need && (step = inflater.inflate(bytes, done, need - done)) > 0) {
                done += step;
            }
            return done == need ? bytes : Arrays.copyOf(bytes, done);
        }
    }

    private static String damaged(TiffHeader header, int strip, String what) {
        return header.compression() + " strip " + (strip + 1) + " of " + header.stripOffsets().length + " " + what;
    }
}
