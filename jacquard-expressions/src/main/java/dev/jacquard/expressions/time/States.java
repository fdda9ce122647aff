package dev.jacquard.expressions.time;

import dev.jacquard.core.kernel.KernelContext;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.DataType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Vectors of the values of all fields that advance, each with ghosts, in memory of an arena. Work on them is done in
 * pieces of rows, in a fixed number of parts whatever the number of workers; sums are added in the order of the parts,
 * so that their bits are the same.
 *
 * <p>Immutable; the values of a state are written by the part that its points belong to.
 */
final class States {
    /** The points of a piece, at most: some rows of them fit in a core's cache. */
    static final int PIECE = 2048;

    private static final int PARTS = 32;

    private final Grid grid;
    private final List<Range> ranges = new ArrayList<>();
    private final double[] units;
    /** The number of the first piece of each field, and that of all pieces. */
    private final long[] firstPieces;

    private final long[] firstPoints;
    private final boolean single;

    /** The work on a piece: some points of a row of a field. Called by several threads, each with its own part. */
    @FunctionalInterface
    interface Work {
        void at(int part, Piece piece);
    }

    /**
     * Some points of a row.
     *
     * @param field the number of the field
     * @param first the number of the first point among the points of all fields
     * @param points how many
     */
    record Piece(int field, int x, int y, int z, long first, int points) {}

    States(Grid grid, Components components, double[] units) {
        this.grid = grid;
        this.units = units.clone();
        this.single = grid.type() == DataType.FLOAT32;
        components.all().forEach(one -> ranges.add(grid.interior(one.centring())));
        firstPieces = new long[ranges.size() + 1];
        firstPoints = new long[ranges.size() + 1];
        for (int i = 0; i < ranges.size(); i++) {
            Range range = ranges.get(i);
            long rows = (long) range.y1() * range.z1();
            firstPieces[i + 1] = firstPieces[i] + rows * Math.ceilDiv(range.x1(), PIECE);
            firstPoints[i + 1] = firstPoints[i] + range.points();
        }
    }

    /** Returns the number of values of a state, without ghosts. */
    long values() {
        return firstPoints[ranges.size()];
    }

    /** Returns the number of fields. */
    int fields() {
        return ranges.size();
    }

    /** Returns the points of a field, without ghosts. */
    Range range(int field) {
        return ranges.get(field);
    }

    /** Returns the number of the first point of a field among the points of all fields. */
    long firstPoint(int field) {
        return firstPoints[field];
    }

    /** Returns the unit of a field: the norm of a state counts values in units. */
    double unit(int field) {
        return units[field];
    }

    /** Returns the number of parts of the work. */
    int parts() {
        return (int) Math.min(PARTS, firstPieces[ranges.size()]);
    }

    /** Returns the places of a state of zeros, one for each field. */
    List<Binding.Place> state(Arena arena) {
        List<Binding.Place> places = new ArrayList<>();
        for (Range range : ranges) {
            long size = grid.type().bytes();
            long strideY = (range.x1() + 2L * grid.ghostLayers(0)) * size;
            long strideZ = (range.y1() + 2L * grid.ghostLayers(1)) * strideY;
            long bytes = (range.z1() + 2L * grid.ghostLayers(2)) * strideZ;
            long start = grid.ghostLayers(0) * size + grid.ghostLayers(1) * strideY + grid.ghostLayers(2) * strideZ;
            places.add(new Binding.Place(arena.allocate(bytes, Long.BYTES), start, strideY, strideZ));
        }
        return places;
    }

    /** Does some work on all pieces. */
    void forEach(KernelContext context, Work work) throws Exception {
        long all = firstPieces[ranges.size()];
        int parts = parts();
        context.parallelFor(0, parts, 1, (from, to) -> {
            for (int part = (int) from; part < to; part++) {
                for (long i = all * part / parts; i < all * (part + 1) / parts; i++) {
                    work.at(part, piece(i));
                }
            }
        });
    }

    private Piece piece(long number) {
        int field = 0;
        while (number >= firstPieces[field + 1]) {
            field++;
        }
        Range range = ranges.get(field);
        long left = number - firstPieces[field];
        int perRow = Math.ceilDiv(range.x1(), PIECE);
        int x = (int) (left % perRow) * PIECE;
        long row = left / perRow;
        long first = firstPoints[field] + row * range.x1() + x;
        int points = Math.min(PIECE, range.x1() - x);
        return new Piece(field, x, (int) (row % range.y1()), (int) (row / range.y1()), first, points);
    }

    /** Copies the values of a piece, in units of its field. */
    void read(List<Binding.Place> state, Piece piece, double[] into) {
        Binding.Place place = state.get(piece.field);
        MemorySegment memory = place.segment();
        long from = start(place, piece);
        double factor = 1 / units[piece.field];
        if (single) {
            float[] values = new float[piece.points];
            MemorySegment.copy(memory, ValueLayout.JAVA_FLOAT_UNALIGNED, from, values, 0, piece.points);
            for (int i = 0; i < piece.points; i++) {
                into[i] = values[i] * factor;
            }
        } else {
            MemorySegment.copy(memory, ValueLayout.JAVA_DOUBLE_UNALIGNED, from, into, 0, piece.points);
            for (int i = 0; factor != 1 && i < piece.points; i++) {
                into[i] *= factor;
            }
        }
    }

    /** Sets the values of a piece, given in units of its field. */
    void write(List<Binding.Place> state, Piece piece, double[] values) {
        Binding.Place place = state.get(piece.field);
        MemorySegment memory = place.segment();
        long to = start(place, piece);
        double factor = units[piece.field];
        if (single) {
            float[] scaled = new float[piece.points];
            for (int i = 0; i < piece.points; i++) {
                scaled[i] = (float) (values[i] * factor);
            }
            MemorySegment.copy(scaled, 0, memory, ValueLayout.JAVA_FLOAT_UNALIGNED, to, piece.points);
        } else if (factor == 1) {
            MemorySegment.copy(values, 0, memory, ValueLayout.JAVA_DOUBLE_UNALIGNED, to, piece.points);
        } else {
            double[] scaled = new double[piece.points];
            for (int i = 0; i < piece.points; i++) {
                scaled[i] = values[i] * factor;
            }
            MemorySegment.copy(scaled, 0, memory, ValueLayout.JAVA_DOUBLE_UNALIGNED, to, piece.points);
        }
    }

    private long start(Binding.Place place, Piece piece) {
        return place.start()
                + piece.x * (long) grid.type().bytes()
                + piece.y * place.strideY()
                + piece.z * place.strideZ();
    }
}
