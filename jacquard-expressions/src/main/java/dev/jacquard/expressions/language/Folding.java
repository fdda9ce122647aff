package dev.jacquard.expressions.language;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Functions of numbers alone, in double precision: their results fit into the type of a loop where its own arithmetic
 * would lose them on the way.
 */
final class Folding {
    private Folding() {}

    /** Returns the number that a function of numbers is; null if an argument is none, or the result is none. */
    static @Nullable Double fold(Function function, List<Term> arguments) {
        for (Term argument : arguments) {
            if (!(argument instanceof Term.Literal)) {
                return null;
            }
        }
        double first = ((Term.Literal) arguments.getFirst()).value();
        return arguments.size() == 1
                ? fold(function, first)
                : arguments.size() == 2 ? fold(function, first, ((Term.Literal) arguments.get(1)).value()) : null;
    }

    private static @Nullable Double fold(Function function, double of) {
        return switch (function) {
            case NEGATE -> -of;
            case ABS -> Math.abs(of);
            case SQRT -> Math.sqrt(of);
            case EXP -> StrictMath.exp(of);
            case LOG -> StrictMath.log(of);
            case SIN -> StrictMath.sin(of);
            case COS -> StrictMath.cos(of);
            case TANH -> StrictMath.tanh(of);
            default -> null;
        };
    }

    private static @Nullable Double fold(Function function, double one, double other) {
        return switch (function) {
            case ADD -> one + other;
            case SUBTRACT -> one - other;
            case MULTIPLY -> one * other;
            case DIVIDE -> one / other;
            case MIN -> Math.min(one, other);
            case MAX -> Math.max(one, other);
            case POW -> StrictMath.pow(one, other);
            default -> null;
        };
    }
}
