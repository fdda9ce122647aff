package dev.jacquard.cluster.communicator;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/** The reductions that have names. */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum Reductions implements Reduction {
    SUM(Long::sum, Double::sum),
    PRODUCT((a, b) -> a * b, (a, b) -> a * b),
    MIN(Math::min, Math::min),
    MAX(Math::max, Math::max),
    AND((a, b) -> a & b, null),
    OR((a, b) -> a | b, null);

    private final LongBinaryOperator integers;
    private final @Nullable DoubleBinaryOperator floats;

    Reductions(LongBinaryOperator integers, @Nullable DoubleBinaryOperator floats) {
        this.integers = integers;
        this.floats = floats;
    }

    @Override
    public void combine(Elements left, MemorySegment right) {
        MemorySegment to = left.memory();
        long bytes = left.byteSize();
        switch (left.type()) {
            case ValueLayout.OfDouble type -> {
                DoubleBinaryOperator with = floats(left);
                for (long at = 0; at < bytes; at += Double.BYTES) {
                    to.set(type, at, with.applyAsDouble(to.get(type, at), right.get(type, at)));
                }
            }
            case ValueLayout.OfFloat type -> {
                DoubleBinaryOperator with = floats(left);
                for (long at = 0; at < bytes; at += Float.BYTES) {
                    // a float operation is the double one, rounded again: exact for +, *, min and max
                    to.set(type, at, (float) with.applyAsDouble(to.get(type, at), right.get(type, at)));
                }
            }
            case ValueLayout.OfLong type -> {
                for (long at = 0; at < bytes; at += Long.BYTES) {
                    to.set(type, at, integers.applyAsLong(to.get(type, at), right.get(type, at)));
                }
            }
            case ValueLayout.OfInt type -> {
                for (long at = 0; at < bytes; at += Integer.BYTES) {
                    to.set(type, at, (int) integers.applyAsLong(to.get(type, at), right.get(type, at)));
                }
            }
            case ValueLayout.OfShort type -> {
                for (long at = 0; at < bytes; at += Short.BYTES) {
                    to.set(type, at, (short) integers.applyAsLong(to.get(type, at), right.get(type, at)));
                }
            }
            case ValueLayout.OfChar type -> {
                for (long at = 0; at < bytes; at += Character.BYTES) {
                    to.set(type, at, (char) integers.applyAsLong(to.get(type, at), right.get(type, at)));
                }
            }
            case ValueLayout.OfByte type -> {
                for (long at = 0; at < bytes; at++) {
                    to.set(type, at, (byte) integers.applyAsLong(to.get(type, at), right.get(type, at)));
                }
            }
            default -> throw new IllegalArgumentException(this + " of " + left);
        }
    }

    private DoubleBinaryOperator floats(Elements of) {
        if (floats == null) {
            throw new IllegalArgumentException("the reduction " + this + " of " + of + ": expected integers");
        }
        return floats;
    }
}
