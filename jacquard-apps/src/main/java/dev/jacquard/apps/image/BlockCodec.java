package dev.jacquard.apps.image;

import dev.jacquard.apps.image.TiffHeader.ImageFormatException;
import ij.io.FileInfo;
import ij.io.ImageReader;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decompresses single strips and tiles: PackBits with ImageJ's decoder, LZW with {@link Lzw}, deflate with the JDK's.
 * Each must deliver all of its bytes, whatever the decoder makes of damaged ones.
 */
final class BlockCodec {
    private BlockCodec() {}

    /**
     * Returns all bytes of a block (there may be more).
     *
     * @param packed what the file has of the block
     * @param need the number of its bytes
     */
    static byte[] decompress(TiffHeader header, TiffPage page, int block, byte[] packed, int need)
            throws ImageFormatException {
        byte[] bytes;
        try {
            bytes = switch (page.compression()) {
                case NONE -> packed;
                case PACK_BITS -> new ImageReader(new FileInfo()).packBitsUncompress(packed, need);
                case LZW -> Lzw.decode(packed, need);
                case DEFLATE, OLD_DEFLATE -> inflate(packed, need);
            };
        } catch (DataFormatException | IndexOutOfBoundsException | NullPointerException e) {
            String why = e instanceof DataFormatException && e.getMessage() != null ? ": " + e.getMessage() : "";
            throw new ImageFormatException(header.file(), damaged(page, block, "cannot be decompressed" + why), e);
        }
        if (bytes.length < need) {
            String found = "is truncated: it has " + bytes.length + " bytes and needs " + need;
            throw new ImageFormatException(header.file(), damaged(page, block, found));
        }
        return bytes;
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
            if (done == need && !inflater.finished()) { // what follows the samples: the checksum is looked at
                int _ = inflater.inflate(new byte[1]);
            }
            return done == need ? bytes : Arrays.copyOf(bytes, done);
        }
    }

    private static String damaged(TiffPage page, int block, String what) {
        return page.compression() + " " + page.name(block) + " " + what;
    }
}
