package dev.jacquard.devices.opencl;

import dev.jacquard.memory.device.CopyShape;
import java.util.ArrayList;
import java.util.List;

/** Shapes of copies as OpenCL can do them: one run, or rows and planes with slices of whole rows. */
final class Runs {
    private Runs() {}

    /**
     * The shape in as few parts as OpenCL allows.
     *
     * @param within whether it is a copy within one buffer, where rows must be equally far apart on both sides
     */
    static List<CopyShape> parts(CopyShape shape, boolean within) {
        CopyShape s = simplest(shape);
        boolean byRun = within && s.rows() > 1 && s.fromPitch() != s.toPitch();
        boolean byPlane = s.planes() > 1
                && (!wholeRows(s.fromSlice(), s.fromPitch(), s.rows())
                        || !wholeRows(s.toSlice(), s.toPitch(), s.rows())
                        || (within && s.fromSlice() != s.toSlice()));
        if (!byRun && !byPlane) {
            return List.of(s);
        }
        List<CopyShape> parts = new ArrayList<>();
        for (long plane = 0; plane < s.planes(); plane++) {
            long from = s.fromOffset() + plane * s.fromSlice();
            long to = s.toOffset() + plane * s.toSlice();
            if (byRun) {
                for (long row = 0; row < s.rows(); row++) {
                    parts.add(CopyShape.run(from + row * s.fromPitch(), to + row * s.toPitch(), s.runBytes()));
                }
            } else {
                parts.add(rows(from, to, s.runBytes(), s.rows(), s.fromPitch(), s.toPitch()));
            }
        }
        return parts;
    }

    /** Returns true if a shape is one run. */
    static boolean isOne(CopyShape shape) {
        return shape.rows() == 1 && shape.planes() == 1;
    }

    /** Rows that touch become one run, planes of one row become rows, and the slice of a single plane is whole rows. */
    private static CopyShape simplest(CopyShape s) {
        if (s.rows() == 1) {
            return s.planes() == 1
                    ? s
                    : simplest(
                            rows(s.fromOffset(), s.toOffset(), s.runBytes(), s.planes(), s.fromSlice(), s.toSlice()));
        }
        if (s.fromPitch() == s.runBytes() && s.toPitch() == s.runBytes()) {
            long run = s.runBytes() * s.rows();
            return s.planes() == 1
                    ? CopyShape.run(s.fromOffset(), s.toOffset(), run)
                    : simplest(rows(s.fromOffset(), s.toOffset(), run, s.planes(), s.fromSlice(), s.toSlice()));
        }
        return s.planes() > 1
                ? s
                : rows(s.fromOffset(), s.toOffset(), s.runBytes(), s.rows(), s.fromPitch(), s.toPitch());
    }

    private static CopyShape rows(long from, long to, long run, long rows, long fromPitch, long toPitch) {
        return new CopyShape(from, to, run, rows, fromPitch, toPitch, 1, rows * fromPitch, rows * toPitch);
    }

    private static boolean wholeRows(long slice, long pitch, long rows) {
        return slice % pitch == 0 && slice >= rows * pitch;
    }
}
