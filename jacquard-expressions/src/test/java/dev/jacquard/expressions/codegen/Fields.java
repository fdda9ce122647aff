package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.expressions.loop.LoopBody;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The fields of one body in memory: rows that begin at a vector's boundary and end at one, with ghosts around. */
final class Fields {
    private static final double[] SPECIAL = {
        0.0,
        -0.0,
        1.0,
        -1.0,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE,
        -Double.MIN_NORMAL / 2,
        Float.MIN_VALUE,
        -Float.MIN_NORMAL / 2,
        Double.MAX_VALUE,
        Float.MAX_VALUE,
        0.5,
        3.0
    };
    private static final int GHOSTS = 2;
    /** Bytes of the widest vector. */
    private static final int VECTOR = 64;

    final Range range;
    private final boolean single;
    private final int size;
    private final long strideY;
    private final long strideZ;
    private final long start;
    private final int inputs;
    private final List<Binding.Place> places = new ArrayList<>();

    /** Allocates the fields; what is in the inputs comes from {@code random}, the outputs are filled with a mark. */
    Fields(Arena arena, LoopBody body, boolean single, Range range, RandomGenerator random) {
        this.range = range;
        this.single = single;
        inputs = body.inputs();
        size = single ? 4 : 8;
        long row = ((long) (range.x1() - range.x0()) * size + VECTOR - 1) / VECTOR * VECTOR;
        strideY = row + 2 * VECTOR;
        strideZ = strideY * (range.y1() + 2 * GHOSTS);
        start = VECTOR + GHOSTS * strideY + GHOSTS * strideZ - (long) range.x0() * size;
        long bytes = strideZ * (range.z1() + 2 * GHOSTS) + 2 * VECTOR;
        for (int field = 0; field < body.inputs() + body.results().size(); field++) {
            MemorySegment segment = arena.allocate(bytes, VECTOR);
            boolean input = field < inputs;
            for (long at = 0; at < bytes; at += size) {
                set(segment, at, input ? value(random) : 12345.678);
            }
            places.add(new Binding.Place(segment, start, strideY, strideZ));
        }
    }

    static double value(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> SPECIAL[random.nextInt(SPECIAL.length)];
            case 1 -> random.nextInt(-20, 20);
            default -> random.nextGaussian() * Math.pow(10, random.nextInt(-3, 4));
        };
    }

    private Fields(Fields like, Arena arena) {
        range = like.range;
        single = like.single;
        size = like.size;
        strideY = like.strideY;
        strideZ = like.strideZ;
        start = like.start;
        inputs = like.inputs;
        for (int field = 0; field < like.places.size(); field++) {
            MemorySegment old = like.places.get(field).segment();
            MemorySegment segment = field < inputs
                    ? old
                    : arena.allocate(old.byteSize(), VECTOR).copyFrom(old);
            places.add(new Binding.Place(segment, start, strideY, strideZ));
        }
    }

    /** Returns fields with the same inputs and outputs of their own. */
    Fields copy(Arena arena) {
        return new Fields(this, arena);
    }

    Binding bind(LoopBody body) {
        return new Binding(body, places);
    }

    private void set(MemorySegment segment, long at, double value) {
        if (single) {
            segment.set(ValueLayout.JAVA_FLOAT, at, (float) value);
        } else {
            segment.set(ValueLayout.JAVA_DOUBLE, at, value);
        }
    }

    private long bits(int field, long at) {
        MemorySegment segment = places.get(field).segment();
        return single
                ? Float.floatToIntBits(segment.get(ValueLayout.JAVA_FLOAT, at))
                : Double.doubleToLongBits(segment.get(ValueLayout.JAVA_DOUBLE, at));
    }

    double get(int field, int x, int y, int z) {
        long at = start + (long) x * size + y * strideY + z * strideZ;
        MemorySegment segment = places.get(field).segment();
        return single ? segment.get(ValueLayout.JAVA_FLOAT, at) : segment.get(ValueLayout.JAVA_DOUBLE, at);
    }

    /**
     * Returns where the outputs differ from {@code oracle}: in the range, or outside it but for {@code lanes}, the
     * points of a vector, at the end of a row; empty if nowhere.
     */
    String difference(Fields oracle, int lanes) {
        int length = range.x1() - range.x0();
        int padded = range.x0() + (length + lanes - 1) / lanes * lanes;
        for (int field = inputs; field < places.size(); field++) {
            long bytes = places.get(field).segment().byteSize();
            for (long at = 0; at < bytes; at += size) {
                if (bits(field, at) != oracle.bits(field, at) && !isPadding(at, padded)) {
                    return "output " + (field - inputs) + " at " + point(at) + ": " + Long.toHexString(bits(field, at))
                            + ", not " + Long.toHexString(oracle.bits(field, at));
                }
            }
        }
        return "";
    }

    private String point(long at) {
        long z = Math.floorDiv(at - start, strideZ);
        long y = Math.floorDiv(at - start - z * strideZ, strideY);
        return (at - start - z * strideZ - y * strideY) / size + ", " + y + ", " + z;
    }

    private boolean isPadding(long at, int padded) {
        for (int z = range.z0(); z < range.z1(); z++) {
            for (int y = range.y0(); y < range.y1(); y++) {
                long row = start + y * strideY + z * strideZ;
                if (at >= row + (long) range.x1() * size && at < row + (long) padded * size) {
                    return true;
                }
            }
        }
        return false;
    }
}
