package dev.jacquard.expressions.time;

import dev.jacquard.core.kernel.KernelContext;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.memory.data.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sums over the rows of the matrix of derivatives: of one field's rate at a point, by all values around it. They bound
 * the eigenvalues by Gershgorin's circles. A value in a ghost cell depends on one value inside with a factor of
 * magnitude 1, so that ghosts may be counted as separate values: the circles then contain the eigenvalues of the
 * matrix.
 *
 * <p>Confined to the thread that computes it, but for the loop that it runs.
 *
 * <p>Source: Golub and Van Loan, Matrix Computations, section 7.2 (Gershgorin's theorem).
 */
final class RowSums {
    /** Sums that a thread computes at a time, at least the sums of a row: they fit in a core's cache. */
    private static final int SUMS = 1 << 15;

    private final Grid grid;
    private final Components.Component component;
    private final int number;
    private final int fields;
    /** By field: the greatest sum of the magnitudes of the derivatives by its values. */
    final double[] size;
    /** By field: the greatest sum of the derivatives by its values; of other fields of its magnitude. */
    final double[] growth;
    /** The farthest points of the circles to the left and to the right of 0, without derivatives by other fields. */
    double left = Double.NEGATIVE_INFINITY;

    double right = Double.NEGATIVE_INFINITY;
    /** The fastest growth of waves of two cells at a point, the mean over all points, and that of longest waves. */
    double fastestShort = Double.NEGATIVE_INFINITY;

    double meanShort = Double.NEGATIVE_INFINITY;
    double meanLong;
    /** The first point with the greatest sum; the first one at which waves of two cells grow faster than long ones. */
    int[] largest = {};

    int[] shortGrowth = {};
    /** The first point where a derivative is infinite or no number; empty if there is none. */
    int[] notFinite = {};

    RowSums(Grid grid, Components components, int number) {
        this.grid = grid;
        this.component = components.all().get(number);
        this.number = number;
        this.fields = components.all().size();
        this.size = new double[fields];
        this.growth = new double[fields];
        Arrays.fill(growth, Double.NEGATIVE_INFINITY);
    }

    /**
     * Computes the sums.
     *
     * @param places of the inputs of the rate's derivative
     */
    RowSums compute(
            KernelContext context,
            Loops loops,
            ToDoubleFunction<String> parameter,
            List<Binding.Place> places,
            Runnable check)
            throws Exception {
        LoopBody body = component.body().sums(number, grid.dimensions());
        Loop loop = loops.loop(body, Loops.Form.INTERPRETER);
        double[] parameters = body.parameters().stream().mapToDouble(parameter).toArray();
        Range all = grid.interior(component.centring());
        int width = all.x1() - all.x0();
        int height = all.y1() - all.y0();
        int rows = Math.clamp(SUMS / Math.max(1, (long) width * body.results().size()), 1, height);
        int perPlane = Math.ceilDiv(height, rows);
        Block[] blocks = new Block[Math.multiplyExact(perPlane, all.z1() - all.z0())];
        context.parallelFor(0, blocks.length, 1, (from, to) -> {
            check.run();
            for (int i = (int) from; i < to; i++) {
                int y = rows * (i % perPlane);
                Range range = new Range(0, width, y, Math.min(y + rows, height), i / perPlane, i / perPlane + 1);
                blocks[i] = new Block(body, loop, parameters, places, range);
            }
        });
        double[] longs = new double[1];
        double[] shorts = new double[(1 << grid.dimensions()) - 1];
        for (Block block : blocks) {
            add(block, longs, shorts);
        }
        meanLong = longs[0] / all.points();
        for (double sum : shorts) {
            meanShort = Math.max(meanShort, sum / all.points());
        }
        return this;
    }

    /**
     * Returns true if the sums are nearly the sums of another time: each differs by no more than a share of the
     * largest.
     */
    boolean isLike(RowSums then, double share) {
        double most = 0;
        for (double its : then.size) {
            most = Math.max(most, its);
        }
        double little = share * most;
        for (int i = 0; i < fields; i++) {
            if (isFar(size[i], then.size[i], little) || isFar(growth[i], then.growth[i], little)) {
                return false;
            }
        }
        return !isFar(left, then.left, little)
                && !isFar(right, then.right, little)
                && !isFar(fastestShort, then.fastestShort, little)
                && !isFar(meanShort, then.meanShort, little)
                && !isFar(meanLong, then.meanLong, little)
                && notFinite.length == 0;
    }

    private static boolean isFar(double a, double b, double little) {
        return !(a == b || Math.abs(a - b) <= little);
    }

    private void add(Block block, double[] longs, double[] shorts) {
        if (notFinite.length == 0 && block.notFinite != null) {
            notFinite = block.notFinite;
        }
        for (int i = 0; i < fields; i++) {
            if (largest.length == 0 || (i == number && block.sizes[i] > size[i])) {
                largest = block.largest;
            }
            size[i] = Math.max(size[i], block.sizes[i]);
            growth[i] = Math.max(growth[i], block.sums[i]);
        }
        left = Math.max(left, block.toLeft);
        right = Math.max(right, block.toRight);
        fastestShort = Math.max(fastestShort, block.fastest);
        if (shortGrowth.length == 0 && block.shortGrowth != null) {
            shortGrowth = block.shortGrowth;
        }
        longs[0] += block.longs;
        for (int i = 0; i < shorts.length; i++) {
            shorts[i] += block.shorts[i];
        }
    }

    /** The sums in some rows of a plane. Confined to the thread that makes it. */
    private final class Block {
        private final double[] sizes = new double[fields];
        private final double[] sums = new double[fields];
        private final double[] shorts = new double[(1 << grid.dimensions()) - 1];
        private final double[] now;
        private double toLeft = Double.NEGATIVE_INFINITY;
        private double toRight = Double.NEGATIVE_INFINITY;
        private double fastest = Double.NEGATIVE_INFINITY;
        private double longs;
        private int[] largest = {};
        private int @Nullable [] shortGrowth;
        private int @Nullable [] notFinite;

        Block(LoopBody body, Loop loop, double[] parameters, List<Binding.Place> places, Range range) {
            Arrays.fill(sums, Double.NEGATIVE_INFINITY);
            int results = body.results().size();
            now = new double[results];
            int width = range.x1();
            int points = (int) range.points();
            boolean single = grid.type() == DataType.FLOAT32;
            double[] doubles = new double[single ? 0 : results * points];
            float[] floats = new float[single ? results * points : 0];
            MemorySegment memory = single ? MemorySegment.ofArray(floats) : MemorySegment.ofArray(doubles);
            long pitch = (long) width * grid.type().bytes();
            List<Binding.Place> all = new ArrayList<>(places);
            for (int i = 0; i < results; i++) {
                long start = (long) i * points * grid.type().bytes() - range.y0() * pitch;
                all.add(new Binding.Place(memory, start, pitch, 0));
            }
            loop.run(new Binding(body, all), parameters, range);
            for (int point = 0; point < points; point++) {
                for (int i = 0; i < results; i++) {
                    now[i] = single ? floats[i * points + point] : doubles[i * points + point];
                }
                look(point, range);
            }
        }

        private static int[] at(int point, Range range) {
            return new int[] {point % range.x1(), range.y0() + point / range.x1(), range.z0()};
        }

        private void look(int point, Range range) {
            for (int i = 0; i < fields; i++) {
                if (!(now[i] < Double.POSITIVE_INFINITY)) {
                    notFinite = notFinite == null ? at(point, range) : notFinite;
                    return;
                }
            }
            if (largest.length == 0 || now[number] > sizes[number]) {
                largest = at(point, range);
            }
            for (int i = 0; i < fields; i++) {
                sizes[i] = Math.max(sizes[i], now[i]);
                double sum = now[fields + i];
                sums[i] = Math.max(sums[i], i == number ? sum : Math.abs(sum));
            }
            double centre = now[2 * fields];
            double radius = now[number] - Math.abs(centre);
            toLeft = Math.max(toLeft, radius - centre);
            toRight = Math.max(toRight, radius + centre);
            double sum = now[fields + number];
            longs += sum;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < shorts.length; i++) {
                double its = now[2 * fields + 1 + i];
                shorts[i] += its;
                most = Math.max(most, its);
            }
            fastest = Math.max(fastest, most);
            if (shortGrowth == null && most > Math.max(0, sum) + 1e-6 * now[number]) {
                shortGrowth = at(point, range);
            }
        }
    }
}
