package dev.jacquard.expressions.tree;

import dev.jacquard.core.kernel.KernelContext;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The numbers that vary at the walls, for places where Java functions of the user's do not run: of each strip that
 * varies, layer by layer and line by line, {@code factor · given}, rounded to the type of the field.
 *
 * <p>Immutable.
 *
 * @param strips all that are filled
 */
record WallNumbers(Grid grid, List<Strip> strips) {
    /** Points that are worth a part of their own: some microseconds, if the user's function is short. */
    private static final int POINTS_PER_PART = 1 << 9;

    /** Returns how many they are. */
    long count() {
        return first(strips.size());
    }

    /** Returns the number of the first one of a strip. */
    long first(int strip) {
        return strips.subList(0, strip).stream()
                .filter(Strip::varies)
                .mapToLong(one -> one.layers() * layer(one))
                .sum();
    }

    private static long layer(Strip strip) {
        return (long) strip.points() * (strip.behindLines() - strip.firstLine());
    }

    /** Returns the number of the first one of a line, counted from that of the strip. */
    static long line(Strip strip, int layer, int line) {
        return layer * layer(strip) + (long) strip.points() * (line - strip.firstLine());
    }

    /** Returns where the numbers of a layer are, as those of a field that is there at the layer's points alone. */
    Binding.Place place(int strip, int layer) {
        Strip its = strips.get(strip);
        long size = grid.type().bytes();
        long row = its.points() * size;
        long strideY = its.axis() == 0 ? size : its.axis() == 1 ? 0 : row;
        long strideZ = its.axis() == 2 ? 0 : row;
        Range ghosts = its.ghosts(layer);
        long corner = ghosts.x0() * size + ghosts.y0() * strideY + ghosts.z0() * strideZ;
        long start = (first(strip) + line(its, layer, its.firstLine())) * size;
        return new Binding.Place(MemorySegment.NULL, start - corner, strideY, strideZ);
    }

    /** Evaluates the functions. */
    void write(Memory to, double time, KernelContext context) throws Exception {
        for (int i = 0; i < strips.size(); i++) {
            Strip strip = strips.get(i);
            if (strip.varies()) {
                long first = first(i);
                long grain = 1L + POINTS_PER_PART / strip.points();
                context.parallelFor(strip.firstLine(), strip.behindLines(), grain, (from, behind) -> {
                    double[] given = new double[strip.points()];
                    for (int line = (int) from; line < behind; line++) {
                        strip.give(line, time, given);
                        for (int layer = 0; layer < strip.layers(); layer++) {
                            write(to, first + line(strip, layer, line), strip.factor(layer), given);
                        }
                    }
                });
            }
        }
    }

    private void write(Memory to, long first, double factor, double[] given) {
        for (int i = 0; i < given.length; i++) {
            if (grid.type() == DataType.FLOAT32) {
                to.setFloat(first + i, (float) (factor * given[i]));
            } else {
                to.setDouble(first + i, factor * given[i]);
            }
        }
    }
}
