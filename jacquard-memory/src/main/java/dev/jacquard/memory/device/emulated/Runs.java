package dev.jacquard.memory.device.emulated;

import dev.jacquard.memory.device.CopyShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The bytes of a copy, run by run. */
final class Runs {
    /** In how many ways one byte can be damaged. */
    private static final int DAMAGES = 255;

    private Runs() {}

    static void copy(MemorySegment from, MemorySegment to, CopyShape shape) {
        for (long plane = 0; plane < shape.planes(); plane++) {
            long source = shape.fromOffset() + plane * shape.fromSlice();
            long target = shape.toOffset() + plane * shape.toSlice();
            for (long row = 0; row < shape.rows(); row++) {
                MemorySegment.copy(from, source, to, target, shape.runBytes());
                source += shape.fromPitch();
                target += shape.toPitch();
            }
        }
    }

    /** In how many ways one byte of a copy of {@code shape} can be damaged. */
    static long damages(CopyShape shape) {
        return shape.bytes() * DAMAGES;
    }

    /** Damages one byte that was copied in the n-th way, from 0 to {@link #damages} - 1. */
    static void damage(MemorySegment to, CopyShape shape, long way) {
        long n = way / DAMAGES;
        long run = n / shape.runBytes();
        long at = shape.toOffset()
                + run / shape.rows() * shape.toSlice()
                + run % shape.rows() * shape.toPitch()
                + n % shape.runBytes();
        byte before = to.get(ValueLayout.JAVA_BYTE, at);
        to.set(ValueLayout.JAVA_BYTE, at, (byte) (before ^ (1 + way % DAMAGES)));
    }
}
