package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.data.Layout;
import dev.jacquard.memory.device.CopyShape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which bytes a copy between two layouts moves. */
final class Shapes {
    private Shapes() {}

    /**
     * The shapes that copy {@code part} from one replica to the other: one, but for parts of more than three dimensions
     * with gaps.
     */
    static List<CopyShape> of(Replica from, Replica to, Box part) {
        List<CopyShape> shapes = new ArrayList<>();
        long[] extents = part.extents();
        long[] froms = strides(from.layout, extents.length);
        long[] tos = strides(to.layout, extents.length);
        int dimensions = merge(extents, froms, tos);
        int outer = Math.max(0, dimensions - 3);
        long fromStart = from.offset(part);
        long toStart = to.offset(part);
        long[] at = new long[outer];
        do {
            long fromOffset = fromStart;
            long toOffset = toStart;
            for (int d = 0; d < outer; d++) {
                fromOffset += at[d] * froms[d];
                toOffset += at[d] * tos[d];
            }
            shapes.add(shape(
                    fromOffset,
                    toOffset,
                    extents,
                    froms,
                    tos,
                    outer,
                    dimensions,
                    from.layout.type().bytes()));
        } while (next(at, extents));
        return shapes;
    }

    private static CopyShape shape(
            long fromOffset,
            long toOffset,
            long[] extents,
            long[] froms,
            long[] tos,
            int outer,
            int dimensions,
            int size) {
        int run = dimensions - 1;
        boolean rows = run - 1 >= outer;
        boolean planes = run - 2 >= outer;
        long bytes = extents[run] * size;
        return new CopyShape(
                fromOffset * size,
                toOffset * size,
                bytes,
                rows ? extents[run - 1] : 1,
                rows ? froms[run - 1] * size : bytes,
                rows ? tos[run - 1] * size : bytes,
                planes ? extents[run - 2] : 1,
                planes ? froms[run - 2] * size : bytes,
                planes ? tos[run - 2] * size : bytes);
    }

    private static long[] strides(Layout layout, int dimensions) {
        long[] strides = new long[dimensions];
        for (int d = 0; d < dimensions; d++) {
            strides[d] = layout.stride(d);
        }
        return strides;
    }

    /**
     * Makes one dimension of two that follow each other without gaps on both sides; how many are left, to the front.
     */
    private static int merge(long[] extents, long[] froms, long[] tos) {
        int last = 0;
        for (int d = 1; d < extents.length; d++) {
            boolean gapless = froms[last] == extents[d] * froms[d] && tos[last] == extents[d] * tos[d];
            if (gapless || extents[last] == 1) {
                extents[last] *= extents[d];
            } else {
                extents[++last] = extents[d];
            }
            froms[last] = froms[d];
            tos[last] = tos[d];
        }
        return last + 1;
    }

    /** The next index of the outer dimensions; whether there is one. */
    private static boolean next(long[] at, long[] extents) {
        for (int d = at.length - 1; d >= 0; d--) {
            if (++at[d] < extents[d]) {
                return true;
            }
            at[d] = 0;
        }
        return false;
    }

    /** Returns shapes that move the same bytes to one place after the other, without gaps, from {@code offset} on. */
    static List<CopyShape> packedTo(List<CopyShape> shapes, long offset) {
        List<CopyShape> packed = new ArrayList<>(shapes.size());
        long at = offset;
        for (CopyShape shape : shapes) {
            packed.add(new CopyShape(
                    shape.fromOffset(),
                    at,
                    shape.runBytes(),
                    shape.rows(),
                    shape.fromPitch(),
                    shape.runBytes(),
                    shape.planes(),
                    shape.fromSlice(),
                    shape.runBytes() * shape.rows()));
            at += shape.bytes();
        }
        return packed;
    }

    /** Returns the shapes in groups, in order, of at most {@code most} bytes each; larger ones are cut. */
    static List<List<CopyShape>> batches(List<CopyShape> shapes, long most) {
        List<CopyShape> pieces = new ArrayList<>(shapes.size());
        shapes.forEach(shape -> cut(shape, most, pieces));
        List<List<CopyShape>> batches = new ArrayList<>();
        List<CopyShape> batch = new ArrayList<>();
        long bytes = 0;
        for (CopyShape piece : pieces) {
            if (bytes + piece.bytes() > most) {
                batches.add(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
            batch.add(piece);
            bytes += piece.bytes();
        }
        batches.add(batch);
        return batches;
    }

    /** Adds planes, rows or runs of a shape, as many at a time as are at most that many bytes. */
    private static void cut(CopyShape s, long most, List<CopyShape> pieces) {
        if (s.bytes() <= most) {
            pieces.add(s);
            return;
        }
        long plane = s.rows() * s.runBytes();
        for (long at = 0; s.planes() > 1 && at < s.planes(); ) {
            long planes = Math.clamp(most / plane, 1, s.planes() - at);
            cut(part(s, at * s.fromSlice(), at * s.toSlice(), s.runBytes(), s.rows(), planes), most, pieces);
            at += planes;
        }
        for (long at = 0; s.planes() == 1 && s.rows() > 1 && at < s.rows(); ) {
            long rows = Math.clamp(most / s.runBytes(), 1, s.rows() - at);
            cut(part(s, at * s.fromPitch(), at * s.toPitch(), s.runBytes(), rows, 1), most, pieces);
            at += rows;
        }
        for (long at = 0; s.planes() == 1 && s.rows() == 1 && at < s.runBytes(); at += most) {
            pieces.add(part(s, at, at, Math.min(most, s.runBytes() - at), 1, 1));
        }
    }

    private static CopyShape part(CopyShape s, long from, long to, long runBytes, long rows, long planes) {
        return new CopyShape(
                s.fromOffset() + from,
                s.toOffset() + to,
                runBytes,
                rows,
                s.fromPitch(),
                s.toPitch(),
                planes,
                s.fromSlice(),
                s.toSlice());
    }

    /** Returns shapes that move the bytes from where {@link #packedTo} with no offset moves them. */
    static List<CopyShape> packedFrom(List<CopyShape> shapes) {
        return reversed(packedTo(reversed(shapes), 0));
    }

    /** Returns shapes that move the same bytes back. */
    static List<CopyShape> reversed(List<CopyShape> shapes) {
        return shapes.stream()
                .map(shape -> new CopyShape(
                        shape.toOffset(),
                        shape.fromOffset(),
                        shape.runBytes(),
                        shape.rows(),
                        shape.toPitch(),
                        shape.fromPitch(),
                        shape.planes(),
                        shape.toSlice(),
                        shape.fromSlice()))
                .toList();
    }

    /** Moves bytes within host memory. */
    static void copy(MemorySegment from, MemorySegment to, List<CopyShape> shapes) {
        shapes.forEach(shape -> copy(from, to, shape));
    }

    /** Copies; returns the failure, or null; it fails if the user has closed the memory, say. */
    static @Nullable Throwable copied(MemorySegment from, MemorySegment to, List<CopyShape> shapes) {
        try {
            copy(from, to, shapes);
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    private static void copy(MemorySegment from, MemorySegment to, CopyShape shape) {
        for (long plane = 0; plane < shape.planes(); plane++) {
            for (long row = 0; row < shape.rows(); row++) {
                MemorySegment.copy(
                        from,
                        shape.fromOffset() + plane * shape.fromSlice() + row * shape.fromPitch(),
                        to,
                        shape.toOffset() + plane * shape.toSlice() + row * shape.toPitch(),
                        shape.runBytes());
            }
        }
    }
}
