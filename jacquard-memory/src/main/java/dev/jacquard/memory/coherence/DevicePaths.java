package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.DeviceBuffer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ways of bytes to and from a device's memory, on the device's streams.
 *
 * <p>A device's driver goes on with a copy after the call, and so cannot reach the Java heap: bytes on the heap pass
 * through pinned host memory.
 */
final class DevicePaths {
    private DevicePaths() {}

    private static boolean isHeap(Object memory) {
        return !((MemorySegment) memory).isNative();
    }

    /**
     * Returns why memory of the host cannot be copied from or to, or null. Drivers only get its address, and would
     * write wherever that is. Nothing writes data with a read-only home.
     */
    private static @Nullable IllegalStateException unusable(MemorySegment memory) {
        return memory.scope().isAlive()
                ? null
                : new IllegalStateException(
                        "the user's memory was closed before the data was freed or the session closed");
    }

    /** From host memory. */
    record In(DeviceSpace device) implements TransferPath {
        @Override
        public void move(
                Object from, Object to, List<CopyShape> shapes, boolean careful, Consumer<@Nullable Throwable> then) {
            MemorySegment source = (MemorySegment) from;
            DeviceBuffer target = (DeviceBuffer) to;
            IllegalStateException why = unusable(source);
            if (why != null) {
                then.accept(why);
                return;
            }
            if (!isHeap(from)) {
                device.in.tell(stream -> shapes.forEach(shape -> stream.copyIn(source, target, shape)), then);
                return;
            }
            HeapCopy.in(device, source, target, shapes, then);
        }

        @Override
        public boolean isStaged(Object from, Object to, boolean careful) {
            return isHeap(from);
        }

        @Override
        public @Nullable Space lost(Space from, boolean told) {
            return told ? device : null;
        }
    }

    /** To host memory. */
    record Out(DeviceSpace device) implements TransferPath {
        @Override
        public void move(
                Object from, Object to, List<CopyShape> shapes, boolean careful, Consumer<@Nullable Throwable> then) {
            DeviceBuffer source = (DeviceBuffer) from;
            MemorySegment target = (MemorySegment) to;
            IllegalStateException why = unusable(target);
            if (why != null) {
                then.accept(why);
                return;
            }
            if (!isStaged(from, to, careful)) {
                device.out.tell(stream -> shapes.forEach(shape -> stream.copyOut(source, target, shape)), then);
                return;
            }
            if (careful) {
                StagedCopy.home(device, this, from, target, shapes, StagedCopy.Check.NONE, then);
            } else {
                HeapCopy.out(device, source, target, shapes, then);
            }
        }

        @Override
        public boolean isStaged(Object from, Object to, boolean careful) {
            return careful || isHeap(to);
        }

        @Override
        public boolean canBeCareful() {
            return true;
        }

        @Override
        public @Nullable Space lost(Space from, boolean told) {
            return told ? device : null;
        }
    }

    /** From another device that the device reaches, or within the device. */
    record Peer(DeviceSpace device) implements TransferPath {
        @Override
        public void move(
                Object from, Object to, List<CopyShape> shapes, boolean careful, Consumer<@Nullable Throwable> then) {
            DeviceBuffer source = (DeviceBuffer) from;
            DeviceBuffer target = (DeviceBuffer) to;
            device.in.tell(stream -> shapes.forEach(shape -> stream.copy(source, target, shape)), then);
        }

        @Override
        public Space lost(Space from, boolean told) {
            return told ? device : from;
        }
    }
}
