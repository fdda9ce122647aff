package dev.jacquard.numerics.fft;

import java.util.Optional;
import org.jtransforms.fft.FloatFFT_1D;
import org.visnow.jlargearrays.ConcurrencyUtils;

/**
 * A two-dimensional real transform composed of JTransforms' one-dimensional ones: real along rows, in place in the
 * spectrum, then complex along columns. Columns are gathered in blocks of two cache lines, so that memory is walked
 * along rows.
 *
 * <p>The library packs a row's spectrum into as many floats as the row has: the imaginary part of column 0 is always 0,
 * and its place holds the value that does not fit at the end. {@link #unpack} and {@link #pack} move it.
 */
final class JTransformsFft2d implements RealFft2d {
    /** Columns gathered at a time: 16 complex numbers are two cache lines. */
    private static final int BLOCK = 16;

    private final int rows;
    private final int columns;
    /** Floats in a row of a spectrum. */
    private final int stride;

    private final FloatFFT_1D alongRow;
    private final FloatFFT_1D alongColumn;
    /** Up to BLOCK columns, one after the other. */
    private final float[] block;
    /** The factor for an unscaled inverse transform of a row; the library is off by two for some lengths. */
    private final float rowFactor;

    JTransformsFft2d(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
        this.stride = 2 * (columns / 2 + 1);
        this.alongRow = new FloatFFT_1D(columns);
        this.alongColumn = rows == columns ? alongRow : new FloatFFT_1D(rows);
        this.block = new float[BLOCK * 2 * rows];
        this.rowFactor = rowFactor();
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public void forward(float[] image, float[] spectrum) {
        requireLengths(image, spectrum);
        for (int row = 0; row < rows; row++) {
            int start = row * stride;
            System.arraycopy(image, row * columns, spectrum, start, columns);
            alongRow.realForward(spectrum, start);
            unpack(spectrum, start);
        }
        transformColumns(spectrum, true);
    }

    @Override
    public void inverse(float[] spectrum, float[] image) {
        requireLengths(image, spectrum);
        transformColumns(spectrum, false);
        for (int row = 0; row < rows; row++) {
            int start = row * stride;
            pack(spectrum, start);
            alongRow.realInverse(spectrum, start, false);
            System.arraycopy(spectrum, start, image, row * columns, columns);
        }
    }

    @Override
    public void close() {
        // All memory is the heap's.
    }

    private void transformColumns(float[] spectrum, boolean forward) {
        if (rows == 1) {
            if (!forward) {
                for (int i = 0; i < stride; i++) {
                    spectrum[i] *= rowFactor;
                }
            }
            return;
        }
        for (int first = 0; first < stride; first += 2 * BLOCK) {
            int floats = Math.min(2 * BLOCK, stride - first);
            gather(spectrum, first, floats);
            for (int column = 0; column < floats / 2; column++) {
                if (forward) {
                    alongColumn.complexForward(block, column * 2 * rows);
                } else {
                    alongColumn.complexInverse(block, column * 2 * rows, false);
                }
            }
            scatter(spectrum, first, floats, forward ? 1 : rowFactor);
        }
    }

    private void gather(float[] spectrum, int first, int floats) {
        for (int row = 0; row < rows; row++) {
            int from = row * stride + first;
            int to = 2 * row;
            for (int i = 0; i < floats; i += 2) {
                block[to] = spectrum[from + i];
                block[to + 1] = spectrum[from + i + 1];
                to += 2 * rows;
            }
        }
    }

    private void scatter(float[] spectrum, int first, int floats, float factor) {
        for (int row = 0; row < rows; row++) {
            int to = row * stride + first;
            int from = 2 * row;
            for (int i = 0; i < floats; i += 2) {
                spectrum[to + i] = block[from] * factor;
                spectrum[to + i + 1] = block[from + 1] * factor;
                from += 2 * rows;
            }
        }
    }

    private void unpack(float[] spectrum, int start) {
        if (columns > 1) {
            spectrum[start + columns] = spectrum[start + 1];
        }
        spectrum[start + 1] = 0;
        if (columns % 2 == 0) {
            spectrum[start + columns + 1] = 0;
        }
    }

    private void pack(float[] spectrum, int start) {
        if (columns > 1) {
            spectrum[start + 1] = spectrum[start + columns];
        }
    }

    /** Transforms the spectrum of a row of ones back, and looks at the result. */
    private float rowFactor() {
        float[] row = new float[Math.max(2, columns)];
        row[0] = columns;
        alongRow.realInverse(row, 0, false);
        return Math.round(columns / row[0]);
    }

    /** The default library: JTransforms, in Java, always there. */
    public static final class Provider implements FftProvider {
        /** For {@link java.util.ServiceLoader}. */
        public Provider() {}

        @Override
        public String name() {
            return "jtransforms";
        }

        @Override
        public Optional<String> absence() {
            return Optional.empty();
        }

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public RealFft2d plan(int rows, int columns) {
            if (rows < 1 || columns < 1) {
                throw new IllegalArgumentException(
                        "an image needs at least 1 x 1 pixels, not " + columns + " x " + rows);
            }
            // Workers are the engine's: the library must not start its own threads.
            ConcurrencyUtils.setNumberOfThreads(1);
            return new JTransformsFft2d(rows, columns);
        }
    }
}
