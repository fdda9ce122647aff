package dev.jacquard.expressions.time;

import dev.jacquard.expressions.loop.Loop.Range;
import java.util.SplittableRandom;

/**
 * The state that a search begins with: waves of all lengths along all axes, down to waves of two cells, with drawn
 * phases, and noise. Long waves are larger: the search itself strengthens short ones. It is the same for each search.
 * Immutable.
 */
final class StartWaves {
    private static final int PER_LENGTH = 2;
    private static final double SHORTER = Math.sqrt(0.5);

    /** By field, wave and axis: the factors of the points along the axis. */
    private final double[][][][] factors;

    StartWaves(States states) {
        SplittableRandom random = new SplittableRandom(66);
        factors = new double[states.fields()][][][];
        for (int field = 0; field < factors.length; field++) {
            Range range = states.range(field);
            int[] points = {range.x1(), range.y1(), range.z1()};
            int longest = Math.max(points[0], Math.max(points[1], points[2]));
            int lengths = 1 + (int) Math.ceil(Math.log(longest / 2.0) / -Math.log(SHORTER) + 1e-9);
            factors[field] = new double[Math.max(1, lengths) * PER_LENGTH][][];
            for (int wave = 0; wave < factors[field].length; wave++) {
                int length = wave / PER_LENGTH;
                double cells = Math.max(2, longest * Math.pow(SHORTER, length));
                factors[field][wave] = wave(points, cells, random);
            }
        }
    }

    private static double[][] wave(int[] points, double cells, SplittableRandom random) {
        double[][] factors = new double[points.length][];
        for (int axis = 0; axis < points.length; axis++) {
            int count = points[axis];
            long periods = random.nextInt(5) < 2 ? 0 : Math.min(count / 2, Math.round(count / cells));
            double phase = periods == 0 || 2 * periods == count ? 0 : 2 * Math.PI * random.nextDouble();
            double size = axis > 0 ? 1 : random.nextBoolean() ? -cells / 2 : cells / 2;
            factors[axis] = new double[count];
            for (int i = 0; i < count; i++) {
                factors[axis][i] = size * Math.cos(2 * Math.PI * periods * i / count + phase);
            }
        }
        return factors;
    }

    /** Sets the values of a piece. */
    void set(States.Piece piece, double[] values) {
        for (int i = 0; i < piece.points(); i++) {
            values[i] = (Sketch.mix(piece.first() + i) >> 11) * 0x1p-52; // from -1 to 1
        }
        for (double[][] wave : factors[piece.field()]) {
            double factor = wave[1][piece.y()] * wave[2][piece.z()];
            for (int i = 0; i < piece.points(); i++) {
                values[i] += wave[0][piece.x() + i] * factor;
            }
        }
    }
}
