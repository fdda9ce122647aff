package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device.PinnedMemory;
import dev.jacquard.memory.device.DeviceException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Does copies and compares checksums of the bytes that were sent and that arrived, both made by the host. The bytes on
 * a device are read twice for that: the link that damages a copy may damage these reads, too. Such damage makes a good
 * copy look bad, and costs a repetition; only the same damage three times makes a bad copy look good. Spaces that check
 * their reads are trusted.
 *
 * <p>Threads: any.
 */
final class Verification {
    private static final int CHUNK = 1 << 13;

    private final FaultLog faults;

    Verification(FaultLog faults) {
        this.faults = faults;
    }

    /** Does a copy and compares checksums; calls {@code then} as {@link Transfer#move} does. */
    void move(Transfer copy, Consumer<@Nullable Throwable> then) {
        if (copy.careful) {
            moveCarefully(copy, then);
            return;
        }
        copy.move(error -> {
            if (error != null || copy.from.space.isChecked() || copy.to.space.isChecked()) {
                then.accept(error);
            } else {
                copy.arrived = true;
                verify(copy, then);
            }
        });
    }

    private void moveCarefully(Transfer copy, Consumer<@Nullable Throwable> then) {
        copy.summed = null;
        Space space = copy.from.space;
        List<CopyShape> shapes = Shapes.of(copy.from, copy.to, copy.box);
        StagedCopy.Check check = (staged, told) -> {
            copy.summed = space;
            sum(copy.from, shapes, copy.bytes(), (sent, error) -> {
                told.accept(error != null ? error : compare(sent, sum(staged, 0, copy.bytes())));
            });
        };
        StagedCopy.home(space, space.toHost(), copy.from.memory, (MemorySegment) copy.to.memory, shapes, check, then);
    }

    /** Returns the failure of a copy with checksums that differ; null where they do not. */
    private @Nullable DeviceException compare(long sent, long arrived) {
        if (arrived == sent) {
            return null;
        }
        faults.corrupted();
        return new DeviceException("what arrived is not what was sent: its checksum is " + Long.toHexString(arrived)
                + " and should be " + Long.toHexString(sent));
    }

    private void verify(Transfer copy, Consumer<@Nullable Throwable> then) {
        List<CopyShape> shapes = Shapes.of(copy.from, copy.to, copy.box);
        copy.summed = copy.from.space;
        sum(copy.from, shapes, copy.bytes(), (sent, error) -> {
            if (error != null) {
                then.accept(error);
                return;
            }
            copy.summed = copy.to.space;
            sum(copy.to, Shapes.reversed(shapes), copy.bytes(), (arrived, another) -> {
                then.accept(another != null ? another : compare(sent, arrived));
            });
        });
    }

    private interface Sum {
        void is(long checksum, @Nullable Throwable error);
    }

    /** Gives {@code then} the checksum of the bytes that {@code shapes} would copy from {@code replica}. */
    private void sum(Replica replica, List<CopyShape> shapes, long bytes, Sum then) {
        if (replica.memory instanceof MemorySegment all) {
            then.is(sum(all, shapes), null);
            return;
        }
        PinnedMemory between;
        try {
            between = replica.space.staging(2 * bytes);
        } catch (RuntimeException | OutOfMemoryError e) {
            then.is(0, e);
            return;
        }
        List<CopyShape> twice = new ArrayList<>(Shapes.packedTo(shapes, 0));
        twice.addAll(Shapes.packedTo(shapes, bytes));
        replica.space.toHost().move(replica.memory, between.segment(), twice, false, error -> {
            long first = sum(between.segment(), 0, bytes);
            long second = sum(between.segment(), bytes, bytes);
            between.close();
            boolean same = error != null || first == second;
            if (!same) {
                faults.corrupted();
            }
            then.is(
                    first,
                    same ? error : new DeviceException("what is read from " + replica.space + " differs each time"));
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
}
