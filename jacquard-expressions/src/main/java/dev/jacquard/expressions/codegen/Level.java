package dev.jacquard.expressions.codegen;

import dev.jacquard.expressions.loop.LoopBody;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;

/** The place of a value in the nest of loops: as far outside as its operands allow. */
enum Level {
    /** Before all loops. */
    RUN,
    /** Inside the loops along z and y: once for each row. */
    ROW,
    /** Inside the loop along x. */
    POINT;

    /** Returns the levels of a body's values by their numbers. */
    static Level[] of(LoopBody body) {
        Level[] levels = new Level[body.values().size()];
        for (Value value : body.values()) {
            Level level = of(value);
            for (Value operand : value.operands()) {
                Level inner = levels[operand.number()];
                level = inner.compareTo(level) > 0 ? inner : level;
            }
            levels[value.number()] = level;
        }
        return levels;
    }

    private static Level of(Value value) {
        return switch (value.operator()) {
            case INPUT -> POINT;
            case INDEX -> value.integer() == 0 ? POINT : ROW;
            default -> RUN;
        };
    }

    /** Returns true if the number of bits by which integers are shifted is the value's last operand. */
    static boolean isShift(Value value) {
        return value.operator() == Operator.SHIFT_LEFT || value.operator() == Operator.SHIFT_RIGHT;
    }
}
