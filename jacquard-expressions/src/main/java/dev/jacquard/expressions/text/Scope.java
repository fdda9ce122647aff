package dev.jacquard.expressions.text;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Functions;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.text.ExpressionParser.PointFunction;
import dev.jacquard.expressions.text.Operand.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of names in an expression.
 *
 * @param dimensions of the grid
 * @param fields by their names
 * @param parameters the names of numbers that are given when the expression is computed
 * @param values the numbers themselves, as far as they are known
 * @param coordinates the values that stand for coordinates, by axis, where these do not stand for themselves
 */
record Scope(
        int dimensions,
        Map<String, Tag<?>> fields,
        Set<String> parameters,
        Map<String, Double> values,
        Map<Integer, Coordinate> coordinates) {
    /**
     * The expressions that stand for a coordinate.
     *
     * @param here where the whole text is computed
     * @param within within operators
     */
    record Coordinate(Expr<?> here, Expr<?> within) {}

    /** The name of the time, which is a parameter of expressions. */
    static final String TIME = "t";

    private static final String AXES = "xyz";
    private static final String PI = "pi";

    /** Names of other languages, with their replacements here. */
    private static final Map<String, String> MEANT = Map.ofEntries(
            Map.entry("\u03c0", "'pi'"),
            Map.entry("e", "'exp(1)'"),
            Map.entry("ln", "'log'"),
            Map.entry("log10", "'log(...)/log(10)'"),
            Map.entry("log2", "'log(...)/log(2)'"),
            Map.entry("tan", "'sin(...)/cos(...)'"),
            Map.entry("fabs", "'abs'"),
            Map.entry("if", "'where(condition, yes, no)'"),
            Map.entry("sign", "'where(0 < a, 1, -1)'"),
            Map.entry("gradient", "'grad'"),
            Map.entry("divergence", "'div'"),
            Map.entry("lap", "'laplacian'"),
            Map.entry("d_dx", "'dx'"),
            Map.entry("d_dy", "'dy'"),
            Map.entry("d_dz", "'dz'"));

    private static final List<String> OWN = List.of("x", "y", "z", TIME, PI);
    private static final List<String> CALLED = Stream.of(
                    PointFunctions.names(),
                    List.of(PointFunctions.WHERE),
                    FieldOperators.names(),
                    List.of(FieldOperators.STENCIL))
            .flatMap(Collection::stream)
            .toList();

    /** Returns true if the language itself uses a name. */
    static boolean isTaken(String name) {
        return OWN.contains(name) || CALLED.contains(name);
    }

    static boolean isCalled(String name) {
        return CALLED.contains(name);
    }

    /** Returns the value that a name stands for, perhaps within an operator. */
    Quantity value(Token name, boolean isWithin) {
        String text = name.text();
        if (AXES.contains(text) && text.length() == 1) {
            return coordinate(name, AXES.indexOf(text), isWithin);
        }
        if (text.equals(PI)) {
            return PointFunctions.number(Math.PI, name);
        }
        if (text.equals(TIME)) {
            return new Quantity(Centre.ANYWHERE, name, Functions.parameter(TIME), (x, y, z, t) -> t, false);
        }
        Tag<?> tag = fields.get(text);
        if (tag != null) {
            return new Quantity(Centre.of(tag.location()), name, tag, null, false);
        }
        if (parameters.contains(text)) {
            @Nullable Double value = values.get(text);
            PointFunction function = value == null ? null : constant(value);
            return new Quantity(Centre.ANYWHERE, name, Functions.parameter(text), function, function != null);
        }
        if (isCalled(text)) {
            throw name.wrong(name + " is called with its operand in brackets: " + text + "(...)");
        }
        throw name.wrong("there is no field, parameter or number " + name + hint(text, known()));
    }

    private static PointFunction constant(double value) {
        return (x, y, z, t) -> value;
    }

    private List<String> known() {
        List<String> known = new ArrayList<>(fields.keySet());
        known.addAll(parameters);
        OWN.stream()
                .filter(name -> !AXES.contains(name) || AXES.indexOf(name) < dimensions)
                .forEach(known::add);
        return known;
    }

    private Quantity coordinate(Token name, int axis, boolean isWithin) {
        if (axis >= dimensions) {
            throw name.wrong("a grid of " + dimensions + (dimensions == 1 ? " dimension" : " dimensions") + " has no "
                    + name.text());
        }
        return switch (axis) {
            case 0 -> coordinate(name, axis, isWithin, Functions.x(), (x, y, z, t) -> x);
            case 1 -> coordinate(name, axis, isWithin, Functions.y(), (x, y, z, t) -> y);
            default -> coordinate(name, axis, isWithin, Functions.z(), (x, y, z, t) -> z);
        };
    }

    private Quantity coordinate(Token name, int axis, boolean isWithin, Expr<?> itself, PointFunction function) {
        Coordinate instead = coordinates.get(axis);
        Expr<?> its = instead == null ? itself : isWithin ? instead.within() : instead.here();
        return new Quantity(Centre.ANYWHERE, name, its, function, false);
    }

    /** Returns the error that a name in front of a bracket is no function. */
    ExpressionParser.TextException notCalled(Token name) {
        if (fields.containsKey(name.text()) || parameters.contains(name.text()) || OWN.contains(name.text())) {
            return name.wrong(name + " is a value, not a function; a product is written " + name.text() + "*(...)");
        }
        return name.wrong("there is no function " + name + hint(name.text(), CALLED));
    }

    private static String hint(String name, Collection<String> known) {
        String meant = MEANT.get(name);
        return meant == null ? NearestName.hint(name, known) : "; did you mean " + meant + "?";
    }
}
