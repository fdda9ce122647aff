package dev.jacquard.memory.device;

/**
 * The bytes of one memory that are copied to another: runs of bytes, in rows, in planes.
 *
 * @param fromOffset where the first run begins, in bytes
 * @param toOffset where the first run goes in the other memory, in bytes
 * @param runBytes how long a run is; at least 1
 * @param rows how many runs to a plane; at least 1
 * @param fromPitch bytes from the begin of one run to that of the next
 * @param toPitch the same in the other memory
 * @param planes how many planes; at least 1
 * @param fromSlice bytes from one plane to the next
 * @param toSlice the same in the other memory
 */
public record CopyShape(
        long fromOffset,
        long toOffset,
        long runBytes,
        long rows,
        long fromPitch,
        long toPitch,
        long planes,
        long fromSlice,
        long toSlice) {
    public CopyShape {
        if (fromOffset < 0 || toOffset < 0) {
            throw new IllegalArgumentException("a copy cannot begin at byte " + fromOffset + " and " + toOffset);
        }
        if (runBytes < 1 || rows < 1 || planes < 1) {
            throw new IllegalArgumentException(
                    "a copy needs at least 1 byte, row and plane, not " + runBytes + ", " + rows + " and " + planes);
        }
        if ((rows > 1 && (fromPitch < runBytes || toPitch < runBytes))
                || (planes > 1 && (fromSlice < runBytes || toSlice < runBytes))) {
            throw new IllegalArgumentException("runs of " + runBytes + " bytes overlap at pitches of " + fromPitch
                    + " and " + toPitch + ", slices of " + fromSlice + " and " + toSlice);
        }
        try {
            end(fromOffset, rows, fromPitch, planes, fromSlice, runBytes);
            end(toOffset, rows, toPitch, planes, toSlice, runBytes);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "no memory is as large as a copy of " + planes + " x " + rows + " runs of " + runBytes
                            + " bytes needs",
                    e);
        }
    }

    /** One run. */
    public static CopyShape run(long fromOffset, long toOffset, long bytes) {
        return new CopyShape(fromOffset, toOffset, bytes, 1, bytes, bytes, 1, bytes, bytes);
    }

    /** Returns the number of bytes that are copied. */
    public long bytes() {
        return Math.multiplyExact(Math.multiplyExact(runBytes, rows), planes);
    }

    /** The first byte after all that is read. */
    public long fromEnd() {
        return end(fromOffset, rows, fromPitch, planes, fromSlice, runBytes);
    }

    /** The first byte after all that is written. */
    public long toEnd() {
        return end(toOffset, rows, toPitch, planes, toSlice, runBytes);
    }

    private static long end(long offset, long rows, long pitch, long planes, long slice, long runBytes) {
        long between = Math.addExact(Math.multiplyExact(rows - 1, pitch), Math.multiplyExact(planes - 1, slice));
        return Math.addExact(Math.addExact(offset, runBytes), between);
    }

    /**
     * Requires that both memories hold all of it.
     *
     * @throws IllegalArgumentException when one of them does not
     */
    public void requireWithin(long fromBytes, long toBytes) {
        if (fromEnd() > fromBytes || toEnd() > toBytes) {
            throw new IllegalArgumentException("a copy reads up to byte " + fromEnd() + " of " + fromBytes
                    + " and writes up to byte " + toEnd() + " of " + toBytes);
        }
    }
}
