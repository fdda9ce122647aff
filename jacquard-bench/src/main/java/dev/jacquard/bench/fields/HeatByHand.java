package dev.jacquard.bench.fields;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The right-hand side of the heat equation as it is written by hand in Java, on a cube of unit lengths. */
final class HeatByHand {
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;
    private static final long SIZE = Double.BYTES;

    private final Binding.Place result;
    private final Binding.Place t;
    private final Binding.Place k;
    private final double factor;

    /**
     * For fields of one layout.
     *
     * @param cells the number along an axis
     */
    HeatByHand(Binding.Place result, Binding.Place t, Binding.Place k, int cells) {
        this.result = result;
        this.t = t;
        this.k = k;
        this.factor = 0.5 * cells * cells;
    }

    void run(Range range) {
        for (int z = range.z0(); z < range.z1(); z++) {
            for (int y = range.y0(); y < range.y1(); y++) {
                row(range.x1(), y, z);
            }
        }
    }

    private void row(int points, int y, int z) {
        MemorySegment out = result.segment();
        MemorySegment ts = t.segment();
        MemorySegment ks = k.segment();
        double c = factor;
        long to = result.start() + y * result.strideY() + z * result.strideZ();
        long tRow = t.start() + y * t.strideY() + z * t.strideZ();
        long tSouth = tRow - t.strideY();
        long tNorth = tRow + t.strideY();
        long tBelow = tRow - t.strideZ();
        long tAbove = tRow + t.strideZ();
        long kRow = k.start() + y * k.strideY() + z * k.strideZ();
        long kSouth = kRow - k.strideY();
        long kNorth = kRow + k.strideY();
        long kBelow = kRow - k.strideZ();
        long kAbove = kRow + k.strideZ();
        for (int x = 0; x < points; x++) {
            long i = x * SIZE;
            double tHere = ts.get(DOUBLE, tRow + i);
            double kHere = ks.get(DOUBLE, kRow + i);
            double sum = (kHere + ks.get(DOUBLE, kRow + i + SIZE)) * (ts.get(DOUBLE, tRow + i + SIZE) - tHere)
                    - (ks.get(DOUBLE, kRow + i - SIZE) + kHere) * (tHere - ts.get(DOUBLE, tRow + i - SIZE))
                    + (kHere + ks.get(DOUBLE, kNorth + i)) * (ts.get(DOUBLE, tNorth + i) - tHere)
                    - (ks.get(DOUBLE, kSouth + i) + kHere) * (tHere - ts.get(DOUBLE, tSouth + i))
                    + (kHere + ks.get(DOUBLE, kAbove + i)) * (ts.get(DOUBLE, tAbove + i) - tHere)
                    - (ks.get(DOUBLE, kBelow + i) + kHere) * (tHere - ts.get(DOUBLE, tBelow + i));
            out.set(DOUBLE, to + i, c * sum);
        }
    }
}
