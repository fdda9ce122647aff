package dev.jacquard.apps.image;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/** TIFF files for tests: by the JDK's writer, and by hand for what it cannot write. */
final class TiffFiles {
    private TiffFiles() {}

    /** A picture with runs and changes, the same every time. */
    static short[] samples(int width, int height, int bits) {
        short[] samples = new short[width * height];
        for (int i = 0; i < samples.length; i++) {
            int row = i / width;
            int value = i % 7 < 3 ? 40 * (row % 5) : (i * 2_654_435 + row) >>> 3;
            samples[i] = (short) (value & ((1 << bits) - 1));
        }
        return samples;
    }

    /** Written by the JDK; {@code compression} is one of its names, or null for none. */
    static Path byJdk(Path file, int width, int height, int bits, ByteOrder order, String compression)
            throws IOException {
        int type = bits == 16 ? BufferedImage.TYPE_USHORT_GRAY : BufferedImage.TYPE_BYTE_GRAY;
        BufferedImage image = new BufferedImage(width, height, type);
        short[] samples = samples(width, height, bits);
        for (int i = 0; i < samples.length; i++) {
            image.getRaster().setSample(i % width, i / width, 0, samples[i] & 0xFFFF);
        }
        write(file, image, order, compression);
        return file;
    }

    static void write(Path file, BufferedImage image, ByteOrder order, String compression) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("tiff").next();
        ImageWriteParam param = writer.getDefaultWriteParam();
        if (!compression.equals("none")) {
            param.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            param.setCompressionType(compression);
        }
        Files.deleteIfExists(file);
        try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
            out.setByteOrder(order);
            writer.setOutput(out);
            writer.write(null, new IIOImage(image, null, null), param);
        } finally {
            writer.dispose();
        }
    }

    /** A little-endian TIFF of one strip, described by its tags; values above 65,535 are written as LONG. */
    static byte[] byHand(Map<Integer, Integer> tags, byte[] strip) {
        Map<Integer, Integer> all = new LinkedHashMap<>(tags);
        all.putIfAbsent(279, strip.length);
        int start = 8 + 2 + 12 * (all.size() + 1) + 4;
        all.put(273, start);
        ByteBuffer out = ByteBuffer.allocate(start + strip.length).order(ByteOrder.LITTLE_ENDIAN);
        out.put((byte) 'I').put((byte) 'I').putShort((short) 42).putInt(8).putShort((short) all.size());
        new TreeMap<>(all)
                .forEach((tag, value) -> out.putShort(tag.shortValue())
                        .putShort((short) 4)
                        .putInt(1)
                        .putInt(value));
        out.position(start).put(strip);
        return out.array();
    }

    /** The tags of an uncompressed gray image. */
    static Map<Integer, Integer> tags(int width, int height, int bits) {
        Map<Integer, Integer> tags = new LinkedHashMap<>();
        tags.put(256, width);
        tags.put(257, height);
        tags.put(258, bits);
        tags.put(259, 1);
        tags.put(262, 1);
        return tags;
    }

    static byte[] littleEndian(short[] samples) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * samples.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asShortBuffer().put(samples);
        return bytes.array();
    }

    /** LZW of the TIFF kind without ever adding to the table: every byte a nine-bit code, a clear code every 200. */
    static byte[] lzw(byte[] bytes) {
        StringBuilder bits = new StringBuilder();
        for (int i = 0; i < bytes.length; i++) {
            if (i % 200 == 0) {
                bits.append(nine(256));
            }
            bits.append(nine(bytes[i] & 0xFF));
        }
        bits.append(nine(257)).append("0000000");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i + 8 <= bits.length(); i += 8) {
            out.write(Integer.parseInt(bits.substring(i, i + 8), 2));
        }
        return out.toByteArray();
    }

    private static String nine(int code) {
        return "%9s".formatted(Integer.toBinaryString(code)).replace(' ', '0');
    }
}
