package dev.jacquard.expressions.text;

import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.text.Operand.Quantity;
import java.io.Serial;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Reads expressions that are written as text. Immutable; any thread.
 *
 * <pre>{@code
 * ExpressionParser parser = ExpressionParser.of(3).field(C).field(U).parameter("kappa");
 * Expr<Cell> rate = parser.parse("-div(u*faces(c)) + div(kappa*grad(c))", Cell.class);
 * }</pre>
 *
 * <p>A text has numbers, {@code pi}, the coordinates {@code x y z} of the point where it is computed, the time
 * {@code t}, fields and parameters; {@code + - * / ^}, brackets, comparisons, {@code where(condition, yes, no)};
 * {@code min max abs sqrt exp log pow sin cos tanh}; {@code grad}, {@code div}, {@code faces}, {@code cells},
 * {@code laplacian}, {@code dx dy dz} and {@code stencil(f, "di dj dk weight; ...")} with one offset per dimension.
 * {@code ^} binds tighter than a sign, and groups to the right. Numbers, parameters and coordinates fit every centring;
 * everything else must agree. A part with numbers alone is computed in double precision, whatever the type of the
 * fields.
 *
 * <p>The expression of {@code t} is {@code parameter("t")}: it is given with each submission.
 */
public final class ExpressionParser {
    private final Scope scope;

    /**
     * A text, and where it stands in a file.
     *
     * @param text the text; a new line in it is one in the file, too
     * @param line the line of its first character, from 1 on
     * @param column the column of its first character, from 1 on
     */
    public record Source(String text, int line, int column) {
        public Source {
            Objects.requireNonNull(text, "text");
        }
    }

    /** A text that is no expression, or one at the wrong points. The message begins with line and column. */
    public static final class TextException extends IllegalArgumentException {
        @Serial
        private static final long serialVersionUID = 1;

        private final int line;
        private final int column;

        TextException(int line, int column, String message) {
            super("line " + line + ", column " + column + ": " + message);
            this.line = line;
            this.column = column;
        }

        /** Returns the line of the error, from 1 on. */
        public int line() {
            return line;
        }

        /** Returns the column of the error, from 1 on. */
        public int column() {
            return column;
        }
    }

    /** An expression that needs no field, as a function of a point and the time. Immutable. */
    @FunctionalInterface
    public interface PointFunction {
        /** Returns the value at a point. */
        double at(double x, double y, double z, double t);
    }

    private ExpressionParser(Scope scope) {
        this.scope = scope;
    }

    /**
     * Returns a parser that knows no fields and parameters yet.
     *
     * @param dimensions of the grid, 1 to 3
     */
    public static ExpressionParser of(int dimensions) {
        if (dimensions < 1 || dimensions > Grid.MOST_DIMENSIONS) {
            throw new IllegalArgumentException(
                    "a grid has 1 to " + Grid.MOST_DIMENSIONS + " dimensions, not " + dimensions);
        }
        return new ExpressionParser(new Scope(dimensions, Map.of(), Set.of(), Map.of(), Map.of()));
    }

    /**
     * Returns a parser that knows one field more.
     *
     * @throws IllegalArgumentException if its name cannot be written in an expression, or means something else
     */
    public ExpressionParser field(Tag<?> tag) {
        requireFree(tag.name());
        Map<String, Tag<?>> fields = new LinkedHashMap<>(scope.fields());
        fields.put(tag.name(), tag);
        return new ExpressionParser(
                new Scope(scope.dimensions(), fields, scope.parameters(), scope.values(), scope.coordinates()));
    }

    /**
     * Returns a parser that knows one parameter more.
     *
     * @throws IllegalArgumentException if its name cannot be written in an expression, or means something else
     */
    public ExpressionParser parameter(String name) {
        requireFree(name);
        Set<String> parameters = new LinkedHashSet<>(scope.parameters());
        parameters.add(name);
        return new ExpressionParser(
                new Scope(scope.dimensions(), scope.fields(), parameters, scope.values(), scope.coordinates()));
    }

    /**
     * Returns a parser that knows one parameter more, with its number. Where it stands with numbers alone, as in
     * {@code 2*kappa}, the expression has their value, computed in double precision, and not the parameter; where it
     * stands alone it is a parameter of that number.
     *
     * @throws IllegalArgumentException if its name cannot be written in an expression, or means something else
     */
    public ExpressionParser parameter(String name, double number) {
        Scope known = parameter(name).scope;
        Map<String, Double> values = new LinkedHashMap<>(known.values());
        values.put(name, number);
        return new ExpressionParser(
                new Scope(known.dimensions(), known.fields(), known.parameters(), values, known.coordinates()));
    }

    /**
     * Returns a parser for which a coordinate is another expression: a field, for one, that has the coordinates of the
     * other end beyond a boundary.
     *
     * @param axis 0 for x
     * @param here one with values where the whole text has them
     * @param within one for the operands of operators, wherever they are
     */
    public ExpressionParser coordinate(int axis, Expr<?> here, Expr<?> within) {
        Map<Integer, Scope.Coordinate> coordinates = new LinkedHashMap<>(scope.coordinates());
        coordinates.put(
                axis,
                new Scope.Coordinate(Objects.requireNonNull(here, "here"), Objects.requireNonNull(within, "within")));
        return new ExpressionParser(
                new Scope(scope.dimensions(), scope.fields(), scope.parameters(), scope.values(), coordinates));
    }

    private void requireFree(String name) {
        if (!Lexer.isName(name)) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" is no name in expressions: a letter, then letters, digits and _");
        }
        if (Scope.isTaken(name)
                || scope.fields().containsKey(name)
                || scope.parameters().contains(name)) {
            throw new IllegalArgumentException("the name \"" + name + "\" means something else in expressions already");
        }
    }

    /**
     * Reads an expression.
     *
     * @param text the text, which stands alone: it has line 1
     * @param location where its values are to lie
     * @throws TextException if it is wrong
     */
    public <L extends Location> Expr<L> parse(String text, Class<L> location) {
        return parse(new Source(text, 1, 1), location);
    }

    /**
     * Reads an expression. One with values on faces, wanted on the faces across one axis, stands for its component
     * there.
     *
     * @param source the text with its place
     * @param location where its values are to lie
     * @throws TextException if it is wrong
     */
    public <L extends Location> Expr<L> parse(Source source, Class<L> location) {
        Quantity all = new Grammar(Lexer.tokens(source), scope).expression();
        Centre wanted = Centre.of(location);
        if (all.centre() == Centre.FACES) {
            all = wanted.component(all);
        }
        if (!all.centre().fits(wanted)) {
            throw all.start().wrong("the expression has values " + all.centre() + ", and is wanted " + wanted);
        }
        return all.as();
    }

    /**
     * Reads an expression without fields and operators, such as the value at a boundary, as a function.
     *
     * @param source the text with its place
     * @param parameters the numbers that parameters stand for
     * @throws TextException if it is wrong, or has a field or an operator
     * @throws IllegalArgumentException if a parameter has no number
     */
    public PointFunction function(Source source, Map<String, Double> parameters) {
        for (String name : scope.parameters()) {
            if (!parameters.containsKey(name)) {
                throw new IllegalArgumentException("the parameter \"" + name + "\" has no number");
            }
        }
        Scope known =
                new Scope(scope.dimensions(), scope.fields(), scope.parameters(), Map.copyOf(parameters), Map.of());
        Quantity all = new Grammar(Lexer.tokens(source), known).expression();
        PointFunction function = all.function();
        if (function == null) {
            throw firstOfField(source)
                    .wrong("there are no fields here: the expression may have numbers, parameters, "
                            + "coordinates and the time");
        }
        return function;
    }

    private Token firstOfField(Source source) {
        return Lexer.tokens(source).stream()
                .filter(token -> token.kind() == Token.Kind.NAME)
                .filter(token -> scope.fields().containsKey(token.text())
                        || FieldOperators.has(token.text())
                        || token.text().equals(FieldOperators.STENCIL))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns the names in a text, of any meaning: whether it depends on the time, for one.
     *
     * @throws TextException if it cannot be taken apart
     */
    public static Set<String> names(Source source) {
        Set<String> names = new LinkedHashSet<>();
        Lexer.tokens(source).stream()
                .filter(token -> token.kind() == Token.Kind.NAME)
                .forEach(token -> names.add(token.text()));
        return names;
    }
}
