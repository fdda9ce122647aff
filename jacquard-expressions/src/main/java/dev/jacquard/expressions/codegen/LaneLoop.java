package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.Binding;
import dev.jacquard.expressions.loop.Loop;
import java.lang.ref.Reference;

/**
 * A loop in lanes with accesses that are not checked one by one: a run checks the places of all fields before it
 * begins. Checks inside take the time of some tens of points a row, even where C2 moves them out of the loop, and ten
 * times the code.
 */
abstract class LaneLoop extends Loop {
    /** The most points of a row that are computed at a time: so C2 knows that their bytes are an int. */
    static final int MOST_POINTS = 1 << 27;

    @Override
    public final void run(Binding fields, double[] parameters, Range range) {
        if (range.x0() >= range.x1()) {
            return;
        }
        try {
            fields.requireInside(range, Lanes.BYTES);
            if ((long) range.x1() - range.x0() <= MOST_POINTS) {
                compute(fields, parameters, range);
            } else {
                inParts(fields, parameters, range);
            }
        } finally {
            Reference.reachabilityFence(fields);
        }
    }

    private void inParts(Binding fields, double[] parameters, Range range) {
        for (long x = range.x0(); x < range.x1(); x += MOST_POINTS) {
            int end = (int) Math.min(range.x1(), x + MOST_POINTS);
            compute(fields, parameters, range.along(0, (int) x, end));
        }
    }

    /**
     * Computes the results at all points of a range, of at most {@link #MOST_POINTS} along x.
     *
     * @param fields with all elements that are read or written inside of their memory, which stays
     */
    abstract void compute(Binding fields, double[] parameters, Range range);
}
