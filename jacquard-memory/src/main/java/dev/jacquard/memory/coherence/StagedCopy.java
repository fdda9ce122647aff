package dev.jacquard.memory.coherence;

import dev.jacquard.memory.device.CopyShape;
import dev.jacquard.memory.device.Device.PinnedMemory;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A copy home through host memory between, so that its target stays as it is unless all bytes have arrived there and
 * are right.
 */
final class StagedCopy {
    /** Says of bytes that have arrived, packed, whether they are right; at any time, on any thread. */
    interface Check {
        /** Accepts all. */
        Check NONE = (staged, then) -> then.accept(null);

        /** Calls {@code then} with the fault of {@code staged}, or null. */
        void check(MemorySegment staged, Consumer<@Nullable Throwable> then);
    }

    private StagedCopy() {}

    /**
     * Copies, and calls {@code then} as {@link TransferPath#move} does.
     *
     * @param way from the memory of {@code space} to host memory
     */
    static void home(
            Space space,
            TransferPath way,
            Object from,
            MemorySegment target,
            List<CopyShape> shapes,
            Check check,
            Consumer<@Nullable Throwable> then) {
        PinnedMemory between;
        try {
            between = space.staging(shapes.stream().mapToLong(CopyShape::bytes).sum());
        } catch (RuntimeException | OutOfMemoryError e) {
            then.accept(e);
            return;
        }
        MemorySegment staged = between.segment();
        Consumer<@Nullable Throwable> ends = error -> {
            between.close();
            then.accept(error);
        };
        way.move(from, staged, Shapes.packedTo(shapes, 0), false, error -> {
            if (error != null) {
                ends.accept(error);
                return;
            }
            check.check(
                    staged,
                    wrong -> ends.accept(
                            wrong != null ? wrong : Shapes.copied(staged, target, Shapes.packedFrom(shapes))));
        });
    }
}
