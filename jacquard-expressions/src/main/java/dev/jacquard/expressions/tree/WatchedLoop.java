package dev.jacquard.expressions.tree;

import dev.jacquard.core.kernel.KernelContext;
import dev.jacquard.expressions.codegen.Greatest;
import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.language.Lowering;
import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import dev.jacquard.expressions.loop.Loop.Range;
import dev.jacquard.memory.data.DataType;
import dev.jacquard.memory.data.Memory;
import java.util.List;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * A loop that finds a {@link Deviation}. On devices its kernel has the numbers as further results. On the host each
 * part is looked at right after it was computed, while all that it read and wrote is in the caches of that core.
 *
 * @param plan of the kernel; its first inputs are the inputs of the loop on the host
 * @param first the number of the first field among the inputs
 * @param second that of the second; of no importance if there is none
 */
record WatchedLoop(Lowering.Plan plan, int first, int second, Watch watch) {
    /**
     * Points of a part: the memory that the loop reads and writes for them stays in the second cache until they are
     * looked at.
     */
    private static final int POINTS = 1 << 12;
    /** The same for a loop that computes some values of neighbours for each part, and has some of that cache. */
    private static final int POINTS_WITH_NEIGHBOURS = 1 << 14;
    /** The parts that a worker takes at a time, some microseconds each. */
    private static final int PARTS = 8;

    /** The computation of a part on the host. */
    @FunctionalInterface
    interface Computed {
        void compute(int part);
    }

    /** Returns the points of a part. */
    static int points(Loop loop) {
        return loop.likesLongRows() ? POINTS : POINTS_WITH_NEIGHBOURS;
    }

    Deviation deviation() {
        return watch.deviation();
    }

    /**
     * Returns the work on all parts.
     *
     * @param places of the inputs, then of the field
     * @param maxima their memory
     * @param inLanes true to look at a vector of points at a time
     */
    FieldLoop.Work work(
            Range[] parts,
            Computed computed,
            List<Binding.Place> places,
            GridField target,
            Memory maxima,
            boolean inLanes) {
        DataType type = target.grid().type();
        Greatest greatest = Greatest.of(type, inLanes);
        Binding.Place field = places.getLast();
        Binding.Place one = places.get(first);
        Binding.Place other = watch.b() == 0 ? one : places.get(second);
        return run -> {
            LongAccumulator distance = new LongAccumulator(Math::max, 0);
            LongAccumulator magnitude = new LongAccumulator(Math::max, 0);
            boolean wantsMagnitude = deviation().wantsMagnitude();
            all(run, parts.length, part -> {
                computed.compute(part);
                distance.accumulate(greatest.distance(field, one, watch.a(), other, watch.b(), parts[part]));
                if (wantsMagnitude) {
                    magnitude.accumulate(greatest.magnitude(field, parts[part]));
                }
            });
            Deviation.put(maxima, type, distance.get(), magnitude.get());
        };
    }

    private static void all(KernelContext run, int count, Computed computed) throws Exception {
        if (count <= PARTS) {
            for (int part = 0; part < count; part++) {
                computed.compute(part);
            }
        } else {
            run.parallelFor(0, count, PARTS, (from, to) -> {
                for (long part = from; part < to; part++) {
                    computed.compute((int) part);
                }
            });
        }
    }
}
