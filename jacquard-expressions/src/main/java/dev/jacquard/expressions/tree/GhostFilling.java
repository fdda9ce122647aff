package dev.jacquard.expressions.tree;

import dev.jacquard.core.kernel.KernelContext;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Grid.Side;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.tree.Boundaries.Condition;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.data.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fills strips of ghosts by Java code. Both sides of an axis are filled before the next axis, since its ghosts follow
 * from them at the edges; the lines of a strip are independent.
 *
 * <p>Threads: parts of a strip by several, each with its own lines.
 */
final class GhostFilling {
    /** The ghosts that are worth a part of their own: some microseconds. */
    private static final int GHOSTS_PER_PART = 1 << 14;

    /** The cells of a small field along each axis. */
    private static final int WARM_CELLS = 16;

    /** The nanoseconds in which its ghosts are filled by each kind of conditions, or less, where C2 compiled that. */
    private static final int WARM_NANOS = 75_000;

    /**
     * The memory of a field.
     *
     * @param ghosts the ghosts to fill, and the cells that they follow from
     * @param otherEnd the cells at the other end of a periodic axis
     * @param walls the values that vary, as numbers; null where the functions are asked
     */
    record Places(
            Binding.Place ghosts,
            Binding.Place otherEnd,
            @Nullable Memory walls) {}

    private final boolean single;
    private final int size;
    private final WallNumbers numbers;
    private final Places places;
    /** The time of the run, which may change between runs. */
    private final double[] time;

    GhostFilling(Grid grid, List<Strip> strips, Places places, double... time) {
        this.single = grid.type() == DataType.FLOAT32;
        this.size = grid.type().bytes();
        this.numbers = new WallNumbers(grid, strips);
        this.places = places;
        this.time = time;
    }

    /** Has the JVM compile all this, on a small field of zeros. */
    static void warm(DataType type, Loops loops) {
        loops.warm("ghosts", () -> scratch(type), WARM_NANOS);
    }

    /** Returns a call that fills the ghosts of that field by each kind of conditions. */
    private static Runnable scratch(DataType type) {
        Grid grid = Grid.of(WARM_CELLS, WARM_CELLS, WARM_CELLS).ghosts(1).type(type);
        long row = (WARM_CELLS + 2) * (long) type.bytes();
        long plane = (WARM_CELLS + 2) * row;
        MemorySegment zeros = Arena.ofAuto().allocate((WARM_CELLS + 2) * plane, Layout.ALIGNMENT);
        Binding.Place place = new Binding.Place(zeros, plane + row + type.bytes(), row, plane);
        List<GhostFilling> all = Stream.of(Condition.dirichlet(0), Condition.neumann(0), Condition.periodic())
                .map(condition -> {
                    Map<Side, Condition> conditions = new EnumMap<>(Side.class);
                    Arrays.stream(Side.values()).forEach(side -> conditions.put(side, condition));
                    List<Strip> strips = Strip.of(grid, conditions, null);
                    return new GhostFilling(grid, strips, new Places(place, place, null), 0);
                })
                .toList();
        return () -> all.forEach(GhostFilling::fill);
    }

    private void fill() {
        for (int i = 0; i < numbers.strips().size(); i++) {
            Strip strip = numbers.strips().get(i);
            fill(i, strip.firstLine(), strip.behindLines());
        }
    }

    void fill(KernelContext context) throws Exception {
        for (int i = 0; i < numbers.strips().size(); i++) {
            Strip strip = numbers.strips().get(i);
            int number = i;
            long grain = 1 + GHOSTS_PER_PART / ((long) strip.layers() * strip.points());
            context.parallelFor(
                    strip.firstLine(), strip.behindLines(), grain, (from, to) -> fill(number, (int) from, (int) to));
        }
    }

    /** Fills lines of a strip. */
    private void fill(int number, int from, int to) {
        Strip strip = numbers.strips().get(number);
        Memory walls = strip.varies() ? places.walls : null;
        long firstOfWalls = walls == null ? 0 : numbers.first(number);
        Binding.Place ghosts = places.ghosts;
        Binding.Place source = strip.isPeriodic() ? places.otherEnd : ghosts;
        double[] given = new double[strip.points()];
        double[] values = new double[given.length];
        for (int line = from; line < to; line++) {
            if (walls == null) {
                strip.give(line, time[0], given);
            }
            for (int layer = 0; layer < strip.layers(); layer++) {
                if (strip.axis() == 0) {
                    // The ghosts of rows are in a cache line each. Loads miss the caches at the same time, stores one
                    // after the other: so the lines are loaded first.
                    read(ghosts.segment(), strip.ghost(ghosts, layer, line), strip.stride(ghosts), values);
                }
                read(source.segment(), strip.inside(source, layer, line), strip.stride(source), values);
                if (walls != null) {
                    long first = firstOfWalls + WallNumbers.line(strip, layer, line);
                    read(walls.segment(), walls.layout().offset(first) * size, size, given);
                    mirror(values, given, 1, strip.sign());
                } else if (!strip.isPeriodic()) {
                    mirror(values, given, strip.factor(layer), strip.sign());
                }
                write(values, ghosts.segment(), strip.ghost(ghosts, layer, line), strip.stride(ghosts));
            }
        }
    }

    /** Sets {@code ghost = factor · given + sign · inside}; see {@link Strip}. */
    private void mirror(double[] values, double[] given, double factor, double sign) {
        if (single) {
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) (factor * given[i]) + sign * values[i]; // rounded when it is written
            }
        } else {
            for (int i = 0; i < values.length; i++) {
                values[i] = factor * given[i] + sign * values[i];
            }
        }
    }

    private void read(MemorySegment memory, long from, long stride, double[] values) {
        if (single) {
            for (int i = 0; i < values.length; i++) {
                values[i] = memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, from + i * stride);
            }
        } else {
            for (int i = 0; i < values.length; i++) {
                values[i] = memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, from + i * stride);
            }
        }
    }

    private void write(double[] values, MemorySegment memory, long to, long stride) {
        if (single) {
            for (int i = 0; i < values.length; i++) {
                memory.set(ValueLayout.JAVA_FLOAT_UNALIGNED, to + i * stride, (float) values[i]);
            }
        } else {
            for (int i = 0; i < values.length; i++) {
                memory.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, to + i * stride, values[i]);
            }
        }
    }
}
