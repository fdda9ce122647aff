package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Does copies: between host memory at once, by the caller; to and from devices on their streams.
 *
 * <p>A device's driver goes on with a copy after the call, and so cannot reach the Java heap: what is there goes by way
 * of native memory.
 *
 * <p>Threads: any.
 */
final class Mover {
    private Mover() {}

    /** Whether the copy goes by way of other host memory. */
    static boolean isStaged(Transfer copy) {
        boolean toOrFromDevice = copy.from.space instanceof DeviceSpace || copy.to.space instanceof DeviceSpace;
        return toOrFromDevice && (isHeap(copy.from) || isHeap(copy.to) || copy.careful);
    }

    private static boolean isHeap(Replica replica) {
        return replica.memory instanceof MemorySegment segment && !segment.isNative();
    }

    /** Whether there is a way without other replicas. */
    static boolean reaches(Space from, Space to) {
        if (from instanceof DiskSpace || to instanceof DiskSpace) {
            return !(from instanceof DeviceSpace) && !(to instanceof DeviceSpace);
        }
        return !(from instanceof DeviceSpace one)
                || !(to instanceof DeviceSpace other)
                || other.device.reaches(one.device);
    }

    /**
     * Does a copy.
     *
     * @param then told when it is done, with what went wrong or null; by any thread
     */
    static void move(Transfer copy, Consumer<@Nullable Throwable> then) {
        List<CopyShape> shapes = Shapes.of(copy.from, copy.to, copy.box);
        Space from = copy.from.space;
        Space to = copy.to.space;
        if (to instanceof DeviceSpace device) {
            if (from instanceof DeviceSpace) {
                DeviceBuffer source = (DeviceBuffer) copy.from.memory;
                device.in.tell(
                        stream -> shapes.forEach(shape -> stream.copy(source, (DeviceBuffer) copy.to.memory, shape)),
                        then);
            } else {
                moveIn(copy, device, shapes, then);
            }
        } else if (from instanceof DeviceSpace device) {
            moveOut(copy, device, shapes, then);
        } else if (from instanceof DiskSpace disk) {
            MemorySegment target = (MemorySegment) copy.to.memory;
            disk.read(
                    (DiskSpace.Extent) copy.from.memory,
                    source -> shapes.forEach(shape -> copy(source, target, shape)),
                    then);
        } else if (to instanceof DiskSpace disk) {
            MemorySegment source = (MemorySegment) copy.from.memory;
            disk.write(
                    (DiskSpace.Extent) copy.to.memory,
                    target -> shapes.forEach(shape -> copy(source, target, shape)),
                    then);
        } else {
            then.accept(moveOnHost((MemorySegment) copy.from.memory, (MemorySegment) copy.to.memory, shapes));
        }
    }

    private static void moveIn(
            Transfer copy, DeviceSpace device, List<CopyShape> shapes, Consumer<@Nullable Throwable> then) {
        MemorySegment source = (MemorySegment) copy.from.memory;
        DeviceBuffer target = (DeviceBuffer) copy.to.memory;
        if (!isHeap(copy.from)) {
            device.in.tell(stream -> shapes.forEach(shape -> stream.copyIn(source, target, shape)), then);
            return;
        }
        Device.PinnedMemory between = pinned(copy, device, then);
        if (between == null) {
            return;
        }
        long at = 0;
        for (CopyShape shape : shapes) {
            copy(source, between.segment(), packedTo(shape, at));
            at += shape.bytes();
        }
        device.in.tell(
                stream -> {
                    long from = 0;
                    for (CopyShape shape : shapes) {
                        stream.copyIn(between.segment(), target, packedFrom(shape, from));
                        from += shape.bytes();
                    }
                },
                error -> {
                    device.pinned.give(between);
                    then.accept(error);
                });
    }

    private static void moveOut(
            Transfer copy, DeviceSpace device, List<CopyShape> shapes, Consumer<@Nullable Throwable> then) {
        DeviceBuffer source = (DeviceBuffer) copy.from.memory;
        MemorySegment target = (MemorySegment) copy.to.memory;
        if (!isHeap(copy.to) && !copy.careful) {
            device.out.tell(stream -> shapes.forEach(shape -> stream.copyOut(source, target, shape)), then);
            return;
        }
        Device.PinnedMemory between = pinned(copy, device, then);
        if (between == null) {
            return;
        }
        device.out.tell(
                stream -> {
                    long to = 0;
                    for (CopyShape shape : shapes) {
                        stream.copyOut(source, between.segment(), packedTo(shape, to));
                        to += shape.bytes();
                    }
                },
                error -> {
                    if (error == null) {
                        long from = 0;
                        for (CopyShape shape : shapes) {
                            copy(between.segment(), target, packedFrom(shape, from));
                            from += shape.bytes();
                        }
                    }
                    device.pinned.give(between);
                    then.accept(error);
                });
    }

    private static Device.@Nullable PinnedMemory pinned(
            Transfer copy, DeviceSpace device, Consumer<@Nullable Throwable> then) {
        try {
            return device.pinned.take(copy.bytes());
        } catch (RuntimeException e) {
            then.accept(e);
            return null;
        }
    }

    /** The same bytes, without gaps from {@code offset} on where they go. */
    static CopyShape packedTo(CopyShape shape, long offset) {
        return new CopyShape(
                shape.fromOffset(),
                offset,
                shape.runBytes(),
                shape.rows(),
                shape.fromPitch(),
                shape.runBytes(),
                shape.planes(),
                shape.fromSlice(),
                shape.runBytes() * shape.rows());
    }

    /** The same bytes, without gaps from {@code offset} on where they come from. */
    private static CopyShape packedFrom(CopyShape shape, long offset) {
        return new CopyShape(
                offset,
                shape.toOffset(),
                shape.runBytes(),
                shape.rows(),
                shape.runBytes(),
                shape.toPitch(),
                shape.planes(),
                shape.runBytes() * shape.rows(),
                shape.toSlice());
    }

    private static @Nullable Throwable moveOnHost(MemorySegment from, MemorySegment to, List<CopyShape> shapes) {
        try {
            shapes.forEach(shape -> copy(from, to, shape));
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
