package dev.jacquard.numerics.openblas;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/**
 * The access of one call to its operands, by its cost. A cheap one takes them as they are, wherever they are, and holds
 * the garbage collector off for its few microseconds. A dear one must not: operands on the heap are copied to native
 * memory and results back, which is little compared with the work of a routine with more work than elements.
 */
final class OperandCopies implements AutoCloseable {
    /**
     * Calls up to this cost hold the collector off. Unit: about a nanosecond, a quarter of a floating-point operation
     * or one element of memory; both are guesses on the high side, so that the longest such call takes some 20
     * microseconds.
     */
    private static final long QUICK = 1 << 14;

    /** Elements of each vector that a cheap call may have. */
    static final int PIECE = 1 << 12;

    private final boolean quick;
    private final @Nullable Arena arena;
    private final CheckedOperand[] operands;

    private OperandCopies(boolean quick, @Nullable Arena arena, CheckedOperand[] operands) {
        this.quick = quick;
        this.arena = arena;
        this.operands = operands;
    }

    /** For a routine of {@code operations} floating-point operations on {@code operands}. */
    static OperandCopies of(double operations, CheckedOperand... operands) {
        if (isQuick(operations, operands)) {
            return new OperandCopies(true, null, operands);
        }
        Arena arena = areNative(operands) ? null : Arena.ofConfined();
        if (arena != null) {
            for (CheckedOperand operand : operands) {
                if (!operand.isNative()) {
                    operand.stage(arena);
                }
            }
        }
        return new OperandCopies(false, arena, operands);
    }

    /** Returns true if a call may take heap memory as it is. */
    boolean isQuick() {
        return quick;
    }

    static boolean isQuick(double operations, CheckedOperand... operands) {
        double cost = operations / 4;
        for (CheckedOperand operand : operands) {
            cost += operand.elements();
        }
        return cost <= QUICK;
    }

    static boolean areNative(CheckedOperand... operands) {
        for (CheckedOperand operand : operands) {
            if (!operand.isNative()) {
                return false;
            }
        }
        return true;
    }

    /** Copies the results back, if they were elsewhere. */
    @Override
    public void close() {
        if (arena != null) {
            for (CheckedOperand operand : operands) {
                operand.unstage();
            }
            arena.close();
        }
    }
}
