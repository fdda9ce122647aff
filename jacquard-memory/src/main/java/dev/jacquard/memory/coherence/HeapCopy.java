package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceBuffer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A copy between the Java heap and a device with a driver that cannot reach the heap: through pinned memory, a batch of
 * bytes after the other, so that the device copies one batch while a thread copies another, and large copies lock no
 * more memory than small ones.
 *
 * <p>Threads: any begins it; the thread of the device's queue goes on.
 */
final class HeapCopy {
    /** The number of batches that may be on their way at a time. */
    private static final int DEPTH = 3;

    private final DeviceSpace device;
    private final MemorySegment heap;
    private final DeviceBuffer buffer;
    private final boolean out;
    private final List<List<CopyShape>> batches;
    private final Consumer<@Nullable Throwable> then;

    /** The batch that comes next. Guarded by this. */
    private int next;
    /** The number of batches on their way. Guarded by this. */
    private int underWay;
    /** The first failure. Guarded by this. */
    private @Nullable Throwable error;

    private HeapCopy(
            DeviceSpace device,
            MemorySegment heap,
            DeviceBuffer buffer,
            boolean out,
            List<CopyShape> shapes,
            Consumer<@Nullable Throwable> then) {
        this.device = device;
        this.heap = heap;
        this.buffer = buffer;
        this.out = out;
        this.batches = Shapes.batches(shapes, device.device.batchBytes());
        this.then = then;
    }

    /** Copies to the device; {@code then} as {@link TransferPath#move} has it. */
    static void in(
            DeviceSpace device,
            MemorySegment from,
            DeviceBuffer to,
            List<CopyShape> shapes,
            Consumer<@Nullable Throwable> then) {
        new HeapCopy(device, from, to, false, shapes, then).begin();
    }

    /** Copies from the device. A copy that fails may leave some of the bytes where they go. */
    static void out(
            DeviceSpace device,
            DeviceBuffer from,
            MemorySegment to,
            List<CopyShape> shapes,
            Consumer<@Nullable Throwable> then) {
        new HeapCopy(device, to, from, true, shapes, then).begin();
    }

    private void begin() {
        for (int i = 0; i < DEPTH; i++) {
            goOn();
        }
    }

    /** Takes the next batch, if there is one. */
    private void goOn() {
        List<CopyShape> batch;
        synchronized (this) {
            if (next == batches.size() || error != null) {
                return;
            }
            batch = batches.get(next++);
            underWay++;
        }
        PinnedMemory between;
        try {
            between = device.staging(batch.stream().mapToLong(CopyShape::bytes).sum());
        } catch (RuntimeException | OutOfMemoryError e) {
            over(e);
            return;
        }
        MemorySegment pinned = between.segment();
        List<CopyShape> first = Shapes.packedTo(batch, 0);
        List<CopyShape> second = Shapes.packedFrom(batch);
        if (out) {
            device.out.tell(stream -> first.forEach(shape -> stream.copyOut(buffer, pinned, shape)), error -> {
                Throwable failure = error != null ? error : Shapes.copied(pinned, heap, second);
                between.close();
                over(failure);
            });
        } else {
            Shapes.copy(heap, pinned, first); // arrays are never closed
            device.in.tell(stream -> second.forEach(shape -> stream.copyIn(pinned, buffer, shape)), failure -> {
                between.close();
                over(failure);
            });
        }
    }

    /** Goes on after a batch, or ends the copy after the last one. */
    private void over(@Nullable Throwable failure) {
        boolean last;
        synchronized (this) {
            underWay--;
            error = error == null ? failure : error;
            last = underWay == 0 && (next == batches.size() || error != null);
        }
        if (last) {
            then.accept(error);
        } else {
            goOn();
        }
    }
}
