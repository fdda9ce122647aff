package dev.jacquard.expressions.time;

import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import java.util.Arrays;

/** Looks for values that are no numbers, or infinite. */
final class FiniteCheck {
    private FiniteCheck() {}

    /** Throws an exception if a field has such a value; the message says where first. */
    static void requireFinite(FieldStore fields, Tag<?> unknown, Tag<?> rate, long before, long after) {
        int components = unknown.isVector() ? fields.grid().dimensions() : 1;
        for (int axis = 0; axis < components; axis++) {
            int[] at = fields.firstNotFinite(fields.field(unknown, axis));
            if (at.length > 0) {
                String step = after - before == 1
                        ? "step " + after
                        : "step " + after + ", and was finite after step " + before;
                throw new ArithmeticException("\"" + unknown + "\" is not finite at point " + Arrays.toString(at)
                        + " after " + step + ": the step may be longer than is stable, or its rate \"" + rate
                        + "\" has no value there; checkEvery(1) finds the first step");
            }
        }
    }
}
