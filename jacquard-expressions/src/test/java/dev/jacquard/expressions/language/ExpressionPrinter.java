package dev.jacquard.expressions.language;

import dev.jacquard.expressions.language.Term.Axis;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/** Writes expressions as text, with brackets around everything; those alone that text can say. */
public final class ExpressionPrinter {
    private static final class Unsaid extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final int dimensions;

    public ExpressionPrinter(int dimensions) {
        this.dimensions = dimensions;
    }

    /** Returns the text; empty if there is none. */
    public Optional<String> print(Expr<?> expression) {
        try {
            return Optional.of(text(Term.of(expression)));
        } catch (Unsaid e) {
            return Optional.empty();
        }
    }

    private String text(Term term) {
        return switch (term) {
            case Term.Read read -> read.tag().name();
            case Term.Literal number -> "(" + number.value() + ")";
            case Term.Parameter parameter -> parameter.name();
            case Term.Coordinate coordinate -> "" + "xyz".charAt(coordinate.axis());
            case Term.Apply its -> apply(its);
            case Term.Gradient its -> all(its.axis(), "grad", its.of());
            case Term.ToFaces its -> all(its.axis(), "faces", its.of());
            case Term.Divergence its -> all(its.axis(), "div", its.of());
            case Term.ToCells its -> all(its.axis(), "cells", its.of());
            case Term.Central its -> "d" + "xyz".charAt(its.axis().index()) + "(" + text(its.of()) + ")";
            case Term.Weighted its -> "stencil(" + text(its.of()) + ", \"" + stencil(its.stencil()) + "\")";
            case Term.Counted its -> throw new Unsaid();
            case Term.Whole its -> throw new Unsaid();
            case Term.Inlined its -> throw new Unsaid();
            case Term.ToNodes its -> throw new Unsaid();
            case Term.FromNodes its -> throw new Unsaid();
            case Term.Vector its -> throw new Unsaid();
            case Term.Component its -> throw new Unsaid();
        };
    }

    private String all(Axis axis, String name, Term of) {
        if (axis != Axis.ALL) {
            throw new Unsaid();
        }
        return name + "(" + text(of) + ")";
    }

    private String stencil(Stencil stencil) {
        StringJoiner points = new StringJoiner("; ");
        for (Stencil.Point point : stencil.points()) {
            int[] offsets = {point.dx(), point.dy(), point.dz()};
            StringJoiner words = new StringJoiner(" ");
            for (int axis = 0; axis < dimensions; axis++) {
                words.add("" + offsets[axis]);
            }
            points.add(words.add("" + point.weight()).toString());
        }
        return points.toString();
    }

    private String apply(Term.Apply its) {
        List<String> of = its.arguments().stream().map(this::text).toList();
        String sign = switch (its.function()) {
            case ADD -> " + ";
            case SUBTRACT -> " - ";
            case MULTIPLY -> "*";
            case DIVIDE -> " / ";
            case POW -> "^";
            case LESS -> " < ";
            case AT_MOST -> " <= ";
            case EQUAL -> " == ";
            default -> "";
        };
        return switch (its.function()) {
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, POW -> "(" + String.join(sign, of) + ")";
            case LESS, AT_MOST, EQUAL -> String.join(sign, of);
            case NEGATE -> "(-" + of.getFirst() + ")";
            case ABS, SQRT, MIN, MAX, EXP, LOG, SIN, COS, TANH, WHERE ->
                its.function().name().toLowerCase(java.util.Locale.ROOT) + "(" + String.join(", ", of) + ")";
            case AND, OR, NOT -> throw new Unsaid();
        };
    }
}
