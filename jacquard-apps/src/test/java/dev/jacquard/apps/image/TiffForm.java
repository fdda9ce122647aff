package dev.jacquard.apps.image;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.Deflater;

/**
 * Writes TIFF files of a form, for tests.
 *
 * @param samples the form of the samples; floating-point ones are the given ones divided by 4
 * @param order byte order
 * @param compression the value of the tag: 1 none, 5 LZW, 8 deflate, 32773 PackBits
 * @param predictor 1 to 3
 * @param blockWidth columns of a tile; 0 for strips
 * @param blockHeight rows of a tile or strip
 * @param big true for a BigTIFF
 */
record TiffForm(
        Samples samples,
        ByteOrder order,
        int compression,
        int predictor,
        int blockWidth,
        int blockHeight,
        boolean big) {
    /** One page, with the tags that are to differ from the form's. */
    record Page(int width, int height, short[] values, Map<Integer, long[]> tags) {}

    /** Returns a file of these pages; {@code description} is that of the first, or empty. */
    byte[] write(String description, List<Page> pages) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(order == ByteOrder.LITTLE_ENDIAN ? new byte[] {'I', 'I'} : new byte[] {'M', 'M'});
        out.writeBytes(big ? numbers(2, 43, 8, 0) : numbers(2, 42));
        int link = out.size();
        out.writeBytes(numbers(big ? 8 : 4, 0));
        List<int[]> links = new ArrayList<>();
        for (Page page : pages) {
            TreeMap<Integer, Object> tags = new TreeMap<>();
            List<byte[]> blocks = blocks(page);
            long[] offsets = new long[blocks.size()];
            long[] lengths = new long[blocks.size()];
            for (int i = 0; i < offsets.length; i++) {
                offsets[i] = out.size();
                lengths[i] = blocks.get(i).length;
                out.writeBytes(blocks.get(i));
            }
            tags.put(256, new long[] {page.width});
            tags.put(257, new long[] {page.height});
            tags.put(258, new long[] {samples.bits()});
            tags.put(259, new long[] {compression});
            tags.put(262, new long[] {1});
            tags.put(277, new long[] {1});
            tags.put(317, new long[] {predictor});
            tags.put(339, new long[] {samples == Samples.FLOAT_32 ? 3 : samples == Samples.SIGNED_16 ? 2 : 1});
            tags.put(blockWidth > 0 ? 324 : 273, offsets);
            tags.put(blockWidth > 0 ? 325 : 279, lengths);
            if (blockWidth > 0) {
                tags.put(322, new long[] {blockWidth});
                tags.put(323, new long[] {blockHeight});
            } else {
                tags.put(278, new long[] {blockHeight});
            }
            if (!description.isEmpty() && links.isEmpty()) {
                tags.put(270, (description + "\0").getBytes(StandardCharsets.UTF_8));
            }
            tags.putAll(page.tags);
            links.add(new int[] {link, out.size()});
            link = directory(out, tags);
        }
        ByteBuffer bytes = ByteBuffer.wrap(out.toByteArray()).order(order);
        for (int[] its : links) {
            if (big) {
                bytes.putLong(its[0], its[1]);
            } else {
                bytes.putInt(its[0], its[1]);
            }
        }
        return bytes.array();
    }

    /** Writes a directory, and the values that do not fit in it behind it; returns where its link to the next is. */
    private int directory(ByteArrayOutputStream out, TreeMap<Integer, Object> tags) {
        int wide = big ? 8 : 4;
        int end = out.size() + (big ? 8 : 2) + tags.size() * (big ? 20 : 12) + wide;
        ByteArrayOutputStream values = new ByteArrayOutputStream();
        out.writeBytes(numbers(big ? 8 : 2, tags.size()));
        tags.forEach((tag, value) -> {
            byte[] bytes = value instanceof byte[] text ? text : numbers(wide, (long[]) value);
            int count = value instanceof byte[] text ? text.length : ((long[]) value).length;
            out.writeBytes(numbers(2, tag, value instanceof byte[] ? 2 : big ? 16 : 4));
            out.writeBytes(numbers(wide, count));
            if (bytes.length <= wide) {
                out.writeBytes(Arrays.copyOf(bytes, wide));
            } else {
                out.writeBytes(numbers(wide, end + values.size()));
                values.writeBytes(bytes);
            }
        });
        int link = out.size();
        out.writeBytes(numbers(wide, 0));
        out.writeBytes(values.toByteArray());
        return link;
    }

    private byte[] numbers(int size, long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(size * values.length).order(order);
        for (long value : values) {
            switch (size) {
                case 2 -> bytes.putShort((short) value);
                case 4 -> bytes.putInt((int) value);
                default -> bytes.putLong(value);
            }
        }
        return bytes.array();
    }

    // ---- blocks

    private List<byte[]> blocks(Page page) {
        int wide = blockWidth > 0 ? blockWidth : page.width;
        List<byte[]> blocks = new ArrayList<>();
        for (int top = 0; top < page.height; top += blockHeight) {
            int rows = blockWidth > 0 ? blockHeight : Math.min(blockHeight, page.height - top);
            for (int left = 0; left < page.width; left += wide) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                for (int y = top; y < top + rows; y++) {
                    short[] row = new short[wide];
                    for (int x = left; x < Math.min(left + wide, page.width) && y < page.height; x++) {
                        row[x - left] = page.values[y * page.width + x];
                    }
                    bytes.writeBytes(predicted(encoded(row)));
                }
                blocks.add(compressed(bytes.toByteArray()));
            }
        }
        return blocks;
    }

    private byte[] encoded(short[] row) {
        ByteBuffer bytes =
                ByteBuffer.allocate((int) samples.rowBytes(row.length)).order(order);
        for (int i = 0; i < row.length; i++) {
            switch (samples) {
                case UNSIGNED_8 -> bytes.put((byte) row[i]);
                case UNSIGNED_16, SIGNED_16 -> bytes.putShort(row[i]);
                case FLOAT_32 -> bytes.putFloat((row[i] & 0xFFFF) / 4f);
                case UNSIGNED_12 -> {
                    int at = 12 * i / 8;
                    if (i % 2 == 0) {
                        bytes.put(at, (byte) (row[i] >> 4)).put(at + 1, (byte) (row[i] << 4));
                    } else {
                        bytes.put(at, (byte) (bytes.get(at) | ((row[i] >> 8) & 0xF)))
                                .put(at + 1, (byte) row[i]);
                    }
                }
            }
        }
        return bytes.array();
    }

    private byte[] predicted(byte[] row) {
        int size = samples.bits() / 8;
        if (predictor == 3) {
            byte[] planes = new byte[row.length];
            int count = row.length / 4;
            for (int i = 0; i < row.length; i++) {
                int byteOf = order == ByteOrder.BIG_ENDIAN ? i % 4 : 3 - i % 4;
                planes[byteOf * count + i / 4] = row[i];
            }
            for (int i = planes.length - 1; i > 0; i--) {
                planes[i] -= planes[i - 1];
            }
            return planes;
        }
        ByteBuffer bytes = ByteBuffer.wrap(row).order(order);
        for (int at = row.length - size; predictor == 2 && at > 0; at -= size) {
            switch (size) {
                case 1 -> bytes.put(at, (byte) (bytes.get(at) - bytes.get(at - 1)));
                case 2 -> bytes.putShort(at, (short) (bytes.getShort(at) - bytes.getShort(at - 2)));
                default -> bytes.putInt(at, bytes.getInt(at) - bytes.getInt(at - 4));
            }
        }
        return row;
    }

    private byte[] compressed(byte[] bytes) {
        return switch (compression) {
            case 5 -> TiffFiles.lzw(bytes);
            case 8 -> {
                try (Deflater deflater = new Deflater()) {
                    deflater.setInput(bytes);
                    deflater.finish();
                    byte[] packed = new byte[bytes.length + 100];
                    yield Arrays.copyOf(packed, deflater.deflate(packed));
                }
            }
            case 32773 -> {
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                for (int at = 0; at < bytes.length; at += 128) {
                    int count = Math.min(128, bytes.length - at);
                    out.write(count - 1);
                    out.write(bytes, at, count);
                }
                yield out.toByteArray();
            }
            default -> bytes;
        };
    }
}
