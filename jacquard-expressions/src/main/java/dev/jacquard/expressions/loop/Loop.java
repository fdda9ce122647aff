package dev.jacquard.expressions.loop;

/**
 * A body, ready to run over fields. Stateless: one loop serves all expressions of its shape.
 *
 * <p>Threads: any, several at a time if their ranges do not overlap, nor write the inputs of others.
 */
public abstract class Loop {
    /** For subclasses. */
    protected Loop() {}

    /**
     * Computes the results at all points of a range. A loop in lanes looks at the memory before it begins, not in its
     * midst: an arena that is closed concurrently may end the JVM.
     *
     * @param fields the memory of the inputs and outputs, which is not freed before the run is over, and the constants
     * @param parameters the numbers of this run, one for each of the body's parameters
     * @param range the points; a loop in lanes may also write up to the end of the last vector of each row
     */
    public abstract void run(Binding fields, double[] parameters, Range range);

    /** Returns false if long rows cost it more than short ones, so that {@link Binding#joined} is of no use to it. */
    public boolean likesLongRows() {
        return true;
    }

    /**
     * The points of a box: from the first index of each axis to past the last. A problem of fewer dimensions has one
     * point along the axes that it lacks.
     */
    public record Range(int x0, int x1, int y0, int y1, int z0, int z1) {
        /** Returns the number of points. */
        public long points() {
            return (long) Math.max(0, x1 - x0) * Math.max(0, y1 - y0) * Math.max(0, z1 - z0);
        }

        /** Returns the first index along an axis. */
        public int from(int axis) {
            return switch (axis) {
                case 0 -> x0;
                case 1 -> y0;
                default -> z0;
            };
        }

        /** Returns the index after the last one along an axis. */
        public int to(int axis) {
            return switch (axis) {
                case 0 -> x1;
                case 1 -> y1;
                default -> z1;
            };
        }

        /** Returns the points between two indices along an axis, and the same as here along the others. */
        public Range along(int axis, int from, int to) {
            return switch (axis) {
                case 0 -> new Range(from, to, y0, y1, z0, z1);
                case 1 -> new Range(x0, x1, from, to, z0, z1);
                default -> new Range(x0, x1, y0, y1, from, to);
            };
        }

        @Override
        public String toString() {
            return "[" + x0 + ".." + x1 + " x " + y0 + ".." + y1 + " x " + z0 + ".." + z1 + "]";
        }
    }
}
