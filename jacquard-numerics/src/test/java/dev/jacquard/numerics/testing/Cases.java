package dev.jacquard.numerics.testing;

import dev.jacquard.numerics.blas.Blas;
import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.BlasRoutines;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.function.Consumer;

/** Seeded operands for one precision, one layout and one kind of memory. */
final class Cases {
    final BlasRoutines<?> blas;
    final Random random;
    final boolean single;
    private final boolean heap;
    private final Arena arena;
    private final String description;

    private Cases(Blas library, Random random, boolean single, Layout layout, boolean heap, Arena arena, String seed) {
        this.blas = single ? library.floats(layout) : library.doubles(layout);
        this.random = random;
        this.single = single;
        this.heap = heap;
        this.arena = arena;
        this.description = seed + (single ? ", single, " : ", double, ") + layout + (heap ? ", heap" : ", native");
    }

    /** Runs {@code test} with {@code seeds} seeds for each precision, layout and kind of memory. */
    static void forAll(Blas library, int seeds, Consumer<Cases> test) {
        for (int seed = 0; seed < seeds; seed++) {
            for (int kind = 0; kind < 8; kind++) {
                Layout layout = (kind & 2) == 0 ? Layout.ROW_MAJOR : Layout.COLUMN_MAJOR;
                try (Arena arena = Arena.ofConfined()) {
                    Random random = new Random(1000L * seed + kind);
                    test.accept(new Cases(
                            library, random, (kind & 1) == 0, layout, (kind & 4) == 0, arena, "seed " + seed));
                }
            }
        }
    }

    /** Mostly small, now and then beyond what is called on the heap as it is. */
    int size() {
        return random.nextInt(8) == 0 ? random.nextInt(100) : random.nextInt(20);
    }

    /** Zero, one, or anything. */
    double factor() {
        int choice = random.nextInt(4);
        return choice < 2 ? choice : single ? random.nextFloat() - 0.5f : random.nextDouble() - 0.5;
    }

    <E extends Enum<E>> E pick(E[] values) {
        return values[random.nextInt(values.length)];
    }

    Tile vector(int n) {
        int stride = 1 + random.nextInt(3);
        return tile(Layout.ROW_MAJOR, n, 1, n, stride);
    }

    Tile matrix(int rows, int columns) {
        boolean inRows = blas.layout() == Layout.ROW_MAJOR;
        int length = inRows ? columns : rows;
        return tile(blas.layout(), rows, columns, inRows ? rows : columns, Math.max(1, length) + random.nextInt(4));
    }

    /** A triangular matrix that is far from singular, whatever its diagonal is taken for. */
    Tile triangular(int rank) {
        Tile tile = matrix(rank, rank);
        for (int i = 0; i < rank; i++) {
            for (int j = 0; j < rank; j++) {
                tile.set(i, j, i == j ? 1.5 + random.nextDouble() : tile.get(i, j) / rank);
            }
        }
        return tile;
    }

    private Tile tile(Layout layout, int rows, int columns, int lines, int stride) {
        long offset = random.nextInt(5);
        long cells = offset + (long) lines * stride + random.nextInt(5);
        MemorySegment memory = memory(cells);
        Tile all = new Tile(memory, single, Layout.ROW_MAJOR, 0, Math.max(1, (int) cells), 1, (int) cells);
        for (int i = 0; i < cells; i++) {
            all.set(0, i, random.nextDouble() * 2 - 1);
        }
        return new Tile(memory, single, layout, offset, stride, rows, columns);
    }

    MemorySegment memory(long cells) {
        if (heap) {
            return single
                    ? MemorySegment.ofArray(new float[(int) cells])
                    : MemorySegment.ofArray(new double[(int) cells]);
        }
        return arena.allocate(cells * (single ? Float.BYTES : Double.BYTES), 8);
    }

    MemorySegment pivots(int count) {
        return heap ? MemorySegment.ofArray(new int[count]) : arena.allocate(count * 4L, 4);
    }

    /** What rounding may do to a result that sums {@code terms} terms of about 1. */
    double tolerance(int terms) {
        return (single ? 2e-6 : 4e-15) * (terms + 8);
    }

    @Override
    public String toString() {
        return description;
    }
}
