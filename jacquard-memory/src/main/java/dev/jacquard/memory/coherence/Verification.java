package dev.jacquard.memory.coherence;

import dev.jacquard.memory.data.Box;
import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device;
import dev.jacquard.memory.device.DeviceBuffer;
import dev.jacquard.memory.device.DeviceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Copies that are looked at when they are over: checksums of what was sent and of what arrived, both made by the host.
 * What is on a device is read twice for that: the link that damages a copy may damage these too, which makes a good
 * copy look bad, and costs a repetition; only the same damage three times makes a bad one look good. What is read from
 * disk has a checksum there.
 *
 * <p>Threads: any.
 */
final class Verification {
    private static final int CHUNK = 1 << 13;

    private final FaultLog faults;

    Verification(FaultLog faults) {
        this.faults = faults;
    }

    /** Does a copy, and looks at it; {@code then} is told like that of {@link Mover#move}. */
    void move(Transfer copy, Consumer<@Nullable Throwable> then) {
        Mover.move(copy, error -> {
            boolean known = copy.from.space instanceof DiskSpace || copy.to.space instanceof DiskSpace;
            if (error != null || known) {
                then.accept(error);
            } else {
                copy.arrived = true;
                verify(copy, then);
            }
        });
    }

    private void verify(Transfer copy, Consumer<@Nullable Throwable> then) {
        List<CopyShape> shapes = Shapes.of(copy.from, copy.to, copy.box);
        sum(copy.from, copy.box, shapes, (sent, error) -> {
            if (error != null) {
                then.accept(error);
                return;
            }
            List<CopyShape> back = shapes.stream().map(Verification::reversed).toList();
            sum(copy.to, copy.box, back, (arrived, another) -> {
                if (another == null && arrived != sent) {
                    faults.corrupted();
                    then.accept(new DeviceException("what arrived is not what was sent: its checksum is "
                            + Long.toHexString(arrived) + " and should be " + Long.toHexString(sent)));
                } else {
                    then.accept(another);
                }
            });
        });
    }

    private interface Sum {
        void is(long checksum, @Nullable Throwable error);
    }

    /** The checksum of what {@code shapes} would copy from {@code replica}. */
    private void sum(Replica replica, Box box, List<CopyShape> shapes, Sum then) {
        if (!(replica.space instanceof DeviceSpace device)) {
            then.is(sum((MemorySegment) replica.memory, shapes), null);
            return;
        }
        long bytes = box.elements() * replica.directory.data.layout().type().bytes();
        Device.PinnedMemory between;
        try {
            between = device.pinned.take(2 * bytes);
        } catch (RuntimeException e) {
            then.is(0, e);
            return;
        }
        device.out.tell(
                stream -> {
                    long at = 0;
                    for (int time = 0; time < 2; time++) {
                        for (CopyShape shape : shapes) {
                            stream.copyOut((DeviceBuffer) replica.memory, between.segment(), Mover.packedTo(shape, at));
                            at += shape.bytes();
                        }
                    }
                },
                error -> {
                    long first = sum(between.segment(), 0, bytes);
                    long second = sum(between.segment(), bytes, bytes);
                    device.pinned.give(between);
                    boolean same = error != null || first == second;
                    if (!same) {
                        faults.corrupted();
                    }
                    then.is(
                            first,
                            same ? error : new DeviceException("what is read from " + device + " differs each time"));
                });
    }

    private static long sum(MemorySegment memory, List<CopyShape> shapes) {
        CRC32C sum = new CRC32C();
        byte[] chunk = new byte[CHUNK];
        for (CopyShape shape : shapes) {
            for (long plane = 0; plane < shape.planes(); plane++) {
                for (long row = 0; row < shape.rows(); row++) {
                    long at = shape.fromOffset() + plane * shape.fromSlice() + row * shape.fromPitch();
                    add(sum, memory, at, shape.runBytes(), chunk);
                }
            }
        }
        return sum.getValue();
    }

    private static long sum(MemorySegment memory, long from, long bytes) {
        CRC32C sum = new CRC32C();
        add(sum, memory, from, bytes, new byte[CHUNK]);
        return sum.getValue();
    }

    private static void add(CRC32C sum, MemorySegment memory, long from, long bytes, byte[] chunk) {
        for (long done = 0; done < bytes; done += CHUNK) {
            int part = (int) Math.min(CHUNK, bytes - done);
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, from + done, chunk, 0, part);
            sum.update(chunk, 0, part);
        }
    }

    /** From where it would go to where it would come from. */
    private static CopyShape reversed(CopyShape shape) {
        return new CopyShape(
                shape.toOffset(),
                shape.fromOffset(),
                shape.runBytes(),
                shape.rows(),
                shape.toPitch(),
                shape.fromPitch(),
                shape.planes(),
                shape.toSlice(),
                shape.fromSlice());
    }
}
