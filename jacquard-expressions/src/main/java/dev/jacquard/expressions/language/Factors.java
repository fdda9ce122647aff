package dev.jacquard.expressions.language;

import dev.jacquard.expressions.loop.BodyBuilder;
import dev.jacquard.expressions.loop.Value;
import dev.jacquard.expressions.loop.Value.Operator;
import dev.jacquard.memory.data.DataType;
import java.util.List;

/**
 * Values with the factors that the grid gives, such as 1/h, which are kept apart as long as sums have one factor in
 * common, so that a point is multiplied with it once: a product of a mean and a gradient costs one multiplication more
 * than the two sums. Numbers that the user wrote stay where they are.
 *
 * <p>A factor that is very large or very small, as on a grid of nanometres in metres, is multiplied with at once: the
 * values without it, and powers of it, leave the range of the type.
 *
 * <p>Confined to one thread.
 */
final class Factors {
    /**
     * The largest factors that are kept apart, by type: with squares and cubes of values there is room in its range.
     */
    private static final double MOST_FLOAT = 0x1p24;

    private static final double MOST_DOUBLE = 0x1p200;

    private final BodyBuilder builder;
    private final double most;

    Factors(BodyBuilder builder, DataType type) {
        this.builder = builder;
        this.most = type == DataType.FLOAT32 ? MOST_FLOAT : MOST_DOUBLE;
    }

    /** A value that is still to be multiplied with a factor. */
    record Scaled(Value value, double factor) {}

    Scaled plain(Value value) {
        return new Scaled(value, 1);
    }

    Scaled scale(Scaled of, double factor) {
        if (mayWait(of.factor * factor)) {
            return new Scaled(of.value, of.factor * factor);
        }
        Scaled settled = new Scaled(whole(of), factor);
        return mayWait(factor) ? settled : plain(whole(settled));
    }

    Scaled product(Scaled one, Scaled other) {
        double factor = one.factor * other.factor;
        return mayWait(factor)
                ? new Scaled(builder.apply(Operator.MULTIPLY, one.value, other.value), factor)
                : plain(builder.apply(Operator.MULTIPLY, whole(one), whole(other)));
    }

    /** Returns true if values that are still to be multiplied with {@code factor} stay in the range of the type. */
    private boolean mayWait(double factor) {
        return Math.abs(factor) <= most && Math.abs(factor) >= 1 / most;
    }

    Scaled sum(Operator operator, Scaled one, Scaled other) {
        return one.factor == other.factor
                ? new Scaled(builder.apply(operator, one.value, other.value), one.factor)
                : plain(builder.apply(operator, whole(one), whole(other)));
    }

    Scaled total(List<Scaled> parts) {
        Scaled all = parts.getFirst();
        for (Scaled part : parts.subList(1, parts.size())) {
            all = sum(Operator.ADD, all, part);
        }
        return all;
    }

    Value whole(Scaled its) {
        return its.factor == 1 ? its.value : builder.apply(Operator.MULTIPLY, its.value, builder.constant(its.factor));
    }
}
