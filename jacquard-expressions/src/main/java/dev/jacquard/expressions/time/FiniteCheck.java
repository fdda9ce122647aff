package dev.jacquard.expressions.time;

import dev.jacquard.expressions.field.GridField;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.tree.FieldStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Looks for values that are no numbers, or infinite. */
final class FiniteCheck {
    private FiniteCheck() {}

    /** Throws an exception if an unknown begins with such a value; the message says where first. */
    static void requireStart(FieldStore fields, Tag<?> unknown, double time) {
        for (GridField field : components(fields, unknown)) {
            int[] at = fields.firstNotFinite(field);
            if (at.length > 0) {
                throw new ArithmeticException("\"" + unknown + "\" begins with a value that is not finite, at point "
                        + Arrays.toString(at) + ", t = " + time
                        + ": write numbers to the whole field before the first step");
            }
        }
    }

    /** Throws an exception if an unknown has such a value after a step; the message says where first. */
    static void requireFinite(FieldStore fields, Tag<?> unknown, Tag<?> rate, long before, long after) {
        for (GridField field : components(fields, unknown)) {
            int[] at = fields.firstNotFinite(field);
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

    /** Returns the greatest magnitude of an unknown, over all components. */
    static double magnitude(FieldStore fields, Tag<?> unknown) {
        if (!unknown.isVector()) {
            return Math.max(Math.abs(fields.min(unknown)), Math.abs(fields.max(unknown)));
        }
        return components(fields, unknown).stream()
                .flatMapToDouble(field -> Arrays.stream(fields.values(field)))
                .map(Math::abs)
                .reduce(0, Math::max);
    }

    /** Returns the fields of an unknown: a vector's on faces have one for each axis. */
    static List<GridField> components(FieldStore fields, Tag<?> unknown) {
        List<GridField> all = new ArrayList<>();
        for (int axis = 0; axis < unknown.components(fields.grid()); axis++) {
            all.add(fields.field(unknown, axis));
        }
        return all;
    }
}
