package dev.jacquard.core.testing.random;

/** The work of all tasks: values that depend on what was read, in which order, and on the task. */
final class Mix {
    /** The bits of a value that every type holds, so that 64 sums of them are exact as doubles. */
    private static final long BITS = (1L << 40) - 1;

    private Mix() {}

    /** Scatters the bits: the finalizer of SplitMix64. */
    static long mix(long bits) {
        long z = bits + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    static long value(long bits) {
        return mix(bits) & BITS;
    }

    /** Does the work of task {@code number}: folds all that is read, then writes. Returns what it read. */
    static long perform(long number, Iterable<Operand> operands) {
        long fold = mix(number);
        for (Operand operand : operands) {
            if (operand.mode().looks()) {
                for (int i = 0; i < operand.size(); i++) {
                    fold = mix(fold ^ operand.get(i));
                }
            }
        }
        int position = 0;
        for (Operand operand : operands) {
            position += 1_000;
            for (int i = 0; i < operand.size(); i++) {
                switch (operand.mode()) {
                    case UPDATE, WRITE -> operand.set(i, value(fold + position + i));
                    case ADD -> operand.add(i, value(number + position + i));
                    case MUL -> operand.multiply(i, value(number + position + i) | 1);
                    case LOCKED, RENEWED -> operand.set(i, operand.get(i) + value(number + position + i));
                    case READ, NONE -> {}
                }
            }
        }
        return fold;
    }
}
