package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.stitching.align.Pair.Direction;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.RealFft2d;
import java.util.Arrays;

/**
 * The cross-correlation factors of a pair at all displacements of a window: products of the tiles are summed by Fourier
 * transforms of the parts of both tiles that can overlap, padded with zeros; sums of values and of squares over the
 * shared rectangle come from summed-area tables (Lewis 1995). Large tiles are reduced by averaging squares of pixels,
 * so that the surface is then coarse: it says where to look.
 *
 * <p>Owns its transform and scratch memory: confined to one thread.
 */
final class WindowCorrelation implements AutoCloseable {
    /** Points of a transform, at most. */
    private static final int POINTS = 1 << 16;

    /**
     * The sizes for one direction, in cells of {@code step} x {@code step} pixels.
     *
     * @param window the displacements
     * @param startX the first column of the first tile that can overlap; the second tile's is 0
     * @param startY the first row, in the same way
     * @param columns columns of the part of each tile that can overlap
     * @param rows rows of that part
     * @param paddedColumns columns of the transform
     * @param paddedRows rows of the transform
     */
    private record Shape(
            Window window, int step, int startX, int startY, int columns, int rows, int paddedColumns, int paddedRows) {
        static Shape of(StagePrior prior, Direction direction) {
            Window window = prior.window(direction);
            int step = 1;
            Shape shape = of(prior, window, step);
            while ((long) shape.paddedColumns * shape.paddedRows > POINTS) {
                shape = of(prior, window, ++step);
            }
            return shape;
        }

        private static Shape of(StagePrior prior, Window window, int step) {
            int startX = Math.max(0, window.minDx());
            int startY = Math.max(0, window.minDy());
            int columns = Math.max(1, (prior.width() - startX) / step);
            int rows = Math.max(1, (prior.height() - startY) / step);
            int farX = Math.max(window.maxDx() - startX, startX - window.minDx()) / step;
            int farY = Math.max(window.maxDy() - startY, startY - window.minDy()) / step;
            return new Shape(window, step, startX, startY, columns, rows, smooth(columns + farX), smooth(rows + farY));
        }

        /** The smallest even number from {@code least} on without a prime factor above 5: transforms of it are fast. */
        private static int smooth(int least) {
            int size = Math.max(2, least + least % 2);
            while (!isSmooth(size)) {
                size += 2;
            }
            return size;
        }

        private static boolean isSmooth(int size) {
            int rest = size;
            for (int factor : new int[] {2, 3, 5}) {
                while (rest % factor == 0) {
                    rest /= factor;
                }
            }
            return rest == 1;
        }

        long bytes() {
            long image = (long) paddedColumns * paddedRows;
            long spectrum = 2L * (paddedColumns / 2 + 1) * paddedRows;
            long factors = window.size() / step / step;
            return Float.BYTES * (image + 2 * spectrum + factors) + 4L * Double.BYTES * (columns + 1) * (rows + 1);
        }
    }

    private final Shape shape;
    private final RealFft2d fft;
    private final float[] image;
    private final float[] fromSpectrum;
    private final float[] toSpectrum;
    private final int[] line;
    private final Sums fromSums;
    private final Sums toSums;

    WindowCorrelation(FftProvider library, StagePrior prior, Direction direction) {
        this.shape = Shape.of(prior, direction);
        this.fft = library.plan(shape.paddedRows, shape.paddedColumns);
        this.image = new float[fft.imageLength()];
        this.fromSpectrum = new float[fft.spectrumLength()];
        this.toSpectrum = new float[fft.spectrumLength()];
        this.line = new int[shape.columns * shape.step];
        this.fromSums = new Sums(shape.columns, shape.rows);
        this.toSums = new Sums(shape.columns, shape.rows);
    }

    /** The bytes of the arrays of a correlation in {@code direction}, and of its surface. */
    static long bytes(StagePrior prior, Direction direction) {
        return Shape.of(prior, direction).bytes();
    }

    /** Fills {@code surface}. Only reads the tiles. */
    void run(GrayImage from, GrayImage to, Surface surface) {
        load(from, shape.startX, shape.startY, fromSums);
        fft.forward(image, fromSpectrum);
        load(to, 0, 0, toSums);
        fft.forward(image, toSpectrum);
        multiply();
        fft.inverse(fromSpectrum, image);
        Window window = shape.window;
        // The lattice passes through the displacement (startX, startY), where cells of both tiles coincide.
        int left = (shape.startX - window.minDx()) / shape.step;
        int above = (shape.startY - window.minDy()) / shape.step;
        surface.start(
                new Window(
                        shape.startX - left * shape.step,
                        window.maxDx(),
                        shape.startY - above * shape.step,
                        window.maxDy()),
                shape.step);
        for (int row = 0; row < surface.rows(); row++) {
            for (int column = 0; column < surface.columns(); column++) {
                surface.set(column, row, factor(column - left, row - above));
            }
        }
    }

    /** Loads the averages of cells, less their mean, into the padded image, and their sums into {@code sums}. */
    private void load(GrayImage tile, int startX, int startY, Sums sums) {
        int step = shape.step;
        float scale = 1f / (step * step);
        double total = 0;
        Arrays.fill(image, 0);
        for (int row = 0; row < shape.rows; row++) {
            addRows(tile, startX, startY + row * step);
            int start = row * shape.paddedColumns;
            for (int column = 0; column < shape.columns; column++) {
                int sum = 0;
                for (int i = column * step; i < (column + 1) * step; i++) {
                    sum += line[i];
                }
                image[start + column] = sum * scale;
                total += image[start + column];
            }
        }
        float mean = (float) (total / ((double) shape.rows * shape.columns));
        for (int row = 0; row < shape.rows; row++) {
            int start = row * shape.paddedColumns;
            for (int i = start; i < start + shape.columns; i++) {
                image[i] -= mean;
            }
        }
        sums.fill(image, shape.paddedColumns);
    }

    /** Leaves the sums of as many rows as a cell has, from {@code top} on, in {@link #line}. */
    private void addRows(GrayImage tile, int left, int top) {
        short[] samples = tile.samples();
        Arrays.fill(line, 0);
        for (int row = top; row < top + shape.step; row++) {
            int start = row * tile.width() + left;
            for (int i = 0; i < line.length; i++) {
                line[i] += samples[start + i] & 0xFFFF;
            }
        }
    }

    /** Leaves the product of the first spectrum and the conjugate of the second one in the first. */
    private void multiply() {
        for (int i = 0; i + 1 < fromSpectrum.length; i += 2) {
            float re = fromSpectrum[i] * toSpectrum[i] + fromSpectrum[i + 1] * toSpectrum[i + 1];
            float im = fromSpectrum[i + 1] * toSpectrum[i] - fromSpectrum[i] * toSpectrum[i + 1];
            fromSpectrum[i] = re;
            fromSpectrum[i + 1] = im;
        }
    }

    /** The factor when the second part lies {@code (x, y)} cells from the first; 0 when one of them is constant. */
    private float factor(int x, int y) {
        int left = Math.max(0, x);
        int top = Math.max(0, y);
        int width = shape.columns - Math.abs(x);
        int height = shape.rows - Math.abs(y);
        if (width < 1 || height < 1) {
            return 0;
        }
        double n = (double) width * height;
        double sumA = fromSums.sum(left, top, width, height);
        double sumB = toSums.sum(left - x, top - y, width, height);
        double varianceA = fromSums.squares(left, top, width, height) - sumA * sumA / n;
        double varianceB = toSums.squares(left - x, top - y, width, height) - sumB * sumB / n;
        if (varianceA < 0.5 || varianceB < 0.5) {
            return 0;
        }
        int at = Math.floorMod(y, shape.paddedRows) * shape.paddedColumns + Math.floorMod(x, shape.paddedColumns);
        double products = image[at] / ((double) shape.paddedRows * shape.paddedColumns);
        return (float) Math.clamp((products - sumA * sumB / n) / Math.sqrt(varianceA * varianceB), -1, 1);
    }

    @Override
    public void close() {
        fft.close();
    }

    /** Summed-area tables of values and of squares. */
    private static final class Sums {
        private final int columns;
        private final int rows;
        private final double[] values;
        private final double[] squares;

        Sums(int columns, int rows) {
            this.columns = columns;
            this.rows = rows;
            this.values = new double[(columns + 1) * (rows + 1)];
            this.squares = new double[(columns + 1) * (rows + 1)];
        }

        /** Sums the first rows and columns of {@code image}. */
        void fill(float[] image, int stride) {
            for (int row = 0; row < rows; row++) {
                double value = 0;
                double square = 0;
                int above = row * (columns + 1);
                int here = above + columns + 1;
                for (int column = 0; column < columns; column++) {
                    double sample = image[row * stride + column];
                    value += sample;
                    square += sample * sample;
                    values[here + column + 1] = values[above + column + 1] + value;
                    squares[here + column + 1] = squares[above + column + 1] + square;
                }
            }
        }

        double sum(int left, int top, int width, int height) {
            return over(values, left, top, width, height);
        }

        double squares(int left, int top, int width, int height) {
            return over(squares, left, top, width, height);
        }

        private double over(double[] table, int left, int top, int width, int height) {
            int first = top * (columns + 1) + left;
            int last = first + height * (columns + 1);
            return table[last + width] - table[last] - table[first + width] + table[first];
        }
    }
}
