package dev.jacquard.apps.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Undoes predictors: that of section 14 of the TIFF 6.0 specification, and the one for floating-point samples of
 * Adobe's technical note 3, which has the bytes of a row's numbers in planes, the most significant first.
 */
final class Predictors {
    private Predictors() {}

    /**
     * Undoes a predictor in the rows of a block, from its first byte on.
     *
     * @param block its bytes, changed
     * @param order that of the file
     * @return the samples, in the order that the buffer has
     */
    static ByteBuffer undo(int predictor, Samples samples, byte[] block, ByteOrder order, int rows, int width) {
        ByteBuffer bytes = ByteBuffer.wrap(block).order(order);
        int rowBytes = (int) samples.rowBytes(width);
        for (int row = 0; row < rows; row++) {
            int at = row * rowBytes;
            if (predictor == 3) {
                sumBytes(block, at, rowBytes);
            } else {
                sum(samples.bits() / 8, bytes, at, width);
            }
        }
        return predictor == 3 ? joined(block, rows, width) : bytes;
    }

    private static void sum(int size, ByteBuffer bytes, int at, int width) {
        for (int i = 1; i < width; i++) {
            int here = at + i * size;
            switch (size) {
                case 1 -> bytes.put(here, (byte) (bytes.get(here) + bytes.get(here - 1)));
                case 2 -> bytes.putShort(here, (short) (bytes.getShort(here) + bytes.getShort(here - 2)));
                default -> bytes.putInt(here, bytes.getInt(here) + bytes.getInt(here - 4));
            }
        }
    }

    private static void sumBytes(byte[] bytes, int at, int count) {
        for (int i = at + 1; i < at + count; i++) {
            bytes[i] += bytes[i - 1];
        }
    }

    private static ByteBuffer joined(byte[] planes, int rows, int width) {
        ByteBuffer numbers = ByteBuffer.allocate(4 * width * rows).order(ByteOrder.BIG_ENDIAN);
        for (int row = 0; row < rows; row++) {
            int at = 4 * width * row;
            for (int i = 0; i < width; i++) {
                for (int plane = 0; plane < 4; plane++) {
                    numbers.put(at + 4 * i + plane, planes[at + plane * width + i]);
                }
            }
        }
        return numbers;
    }
}
