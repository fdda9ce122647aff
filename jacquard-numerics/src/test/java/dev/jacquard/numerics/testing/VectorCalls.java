package dev.jacquard.numerics.testing;

import dev.jacquard.numerics.blas.Blas;
import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.BlasRoutines;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * All vector routines on the same numbers, somewhere in memory of one kind.
 *
 * @param single true for single precision
 * @param heap true for an array, whose address only the collector knows
 * @param arena the native memory, whose first element lies at the beginning of a cache line
 * @param n the number of elements
 * @param stride the distance between two of them
 */
record VectorCalls(Blas library, boolean single, boolean heap, Arena arena, int n, int stride) {
    /** The offsets of a vector in a cache line of floats. */
    static final int OFFSETS = 16;

    private static final int CACHE_LINE = 64;

    private Tile vector(int offset, long seed) {
        int cells = OFFSETS + n * stride;
        Tile tile = new Tile(memory(cells), single, Layout.ROW_MAJOR, offset, stride, n, 1);
        Random random = new Random(seed);
        for (int i = 0; i < n; i++) {
            tile.set(i, 0, single ? random.nextFloat() - 0.5f : random.nextDouble() - 0.5);
        }
        return tile;
    }

    private MemorySegment memory(int cells) {
        if (heap) {
            return single ? MemorySegment.ofArray(new float[cells]) : MemorySegment.ofArray(new double[cells]);
        }
        return arena.allocate((long) cells * (single ? Float.BYTES : Double.BYTES), CACHE_LINE);
    }

    /** Returns all results, with the vectors so many elements behind the beginning of their memory. */
    List<Double> results(int offsetOfX, int offsetOfY) {
        BlasRoutines<?> blas = single ? library.floats() : library.doubles();
        Tile x = vector(offsetOfX, 1);
        Tile y = vector(offsetOfY, 2);
        List<Double> all = new ArrayList<>();
        all.add(blas.dot(n, x.operand(), y.operand()));
        all.add(blas.nrm2(n, x.operand()));
        all.add(blas.asum(n, x.operand()));
        blas.axpy(n, 0.3, x.operand(), y.operand());
        addAll(y, all);
        blas.scal(n, 1.7, x.operand());
        addAll(x, all);
        blas.copy(n, x.operand(), y.operand());
        addAll(y, all);
        return all;
    }

    private void addAll(Tile vector, List<Double> to) {
        for (int i = 0; i < n; i++) {
            to.add(vector.get(i, 0));
        }
    }
}
