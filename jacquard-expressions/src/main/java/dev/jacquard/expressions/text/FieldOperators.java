package dev.jacquard.expressions.text;

import dev.jacquard.base.text.DecimalText;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.Operators;
import dev.jacquard.expressions.language.Stencil;
import dev.jacquard.expressions.text.Operand.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Operators that look at neighbours. */
final class FieldOperators {
    /** The operator that takes a text and the value. */
    static final String STENCIL = "stencil";

    private static final Pattern WORD = Pattern.compile("[^\\s;]+");

    private static final Map<String, Operator> ALL = new LinkedHashMap<>();

    private final int dimensions;

    /** An operator from one centring to another. */
    private record Operator(Centre from, Centre to, Function<Quantity, Expr<?>> apply) {}

    static {
        ALL.put("grad", new Operator(Centre.CELLS, Centre.FACES, of -> Operators.grad(of.<Cell>as())));
        ALL.put("div", new Operator(Centre.FACES, Centre.CELLS, of -> Operators.div(of.<Faces>as())));
        ALL.put("faces", new Operator(Centre.CELLS, Centre.FACES, of -> Operators.faces(of.<Cell>as())));
        ALL.put("cells", new Operator(Centre.FACES, Centre.CELLS, of -> Operators.cells(of.<Faces>as())));
        ALL.put("laplacian", new Operator(Centre.CELLS, Centre.CELLS, of -> Operators.laplacian(of.<Cell>as())));
        ALL.put("dx", new Operator(Centre.CELLS, Centre.CELLS, of -> Operators.dx(of.<Cell>as())));
        ALL.put("dy", new Operator(Centre.CELLS, Centre.CELLS, of -> Operators.dy(of.<Cell>as())));
        ALL.put("dz", new Operator(Centre.CELLS, Centre.CELLS, of -> Operators.dz(of.<Cell>as())));
    }

    FieldOperators(int dimensions) {
        this.dimensions = dimensions;
    }

    /** Returns the names of operators, but for that of the stencil. */
    static Set<String> names() {
        return ALL.keySet();
    }

    static boolean has(String name) {
        return ALL.containsKey(name);
    }

    Quantity apply(Token name, Quantity of) {
        Operator its = ALL.get(name.text());
        if (its == null) {
            throw new IllegalArgumentException("no operator " + name);
        }
        int axis = name.text().startsWith("d") ? "xyz".indexOf(name.text().substring(1)) : -1;
        if (axis >= dimensions) {
            throw name.wrong(name + " needs more dimensions than the " + dimensions + " of the grid");
        }
        if (!of.centre().fits(its.from())) {
            throw of.start().wrong(name + " takes a value " + its.from() + ", and this one is " + of.centre());
        }
        return new Quantity(its.to(), name, its.apply().apply(of), null, false);
    }

    /** Applies a stencil to a value, at the same points. */
    Quantity stencil(Token name, Quantity of, Token points) {
        Expr<Location> expression = of.as();
        return new Quantity(of.centre(), name, Operators.stencil(expression, stencil(points)), null, false);
    }

    private Stencil stencil(Token points) {
        Stencil.Builder builder = Stencil.builder();
        int from = 0;
        for (String point : points.text().split(";", -1)) {
            if (!point.isBlank()) {
                add(builder, points, from, point);
            } else if (from + point.length() < points.text().length() || from == 0) {
                throw within(points, from).wrong("a point of the stencil is missing; one is \"" + form() + '"');
            }
            from += point.length() + 1;
        }
        return builder.build();
    }

    /** Returns the text of a stencil: the mean of the neighbours along x. */
    String stencilExample() {
        String others = " 0".repeat(dimensions - 1);
        return "1" + others + " 0.5; -1" + others + " 0.5";
    }

    private String form() {
        return "di dj dk".substring(0, 3 * dimensions - 1) + " weight";
    }

    private void add(Stencil.Builder builder, Token points, int from, String point) {
        List<String> words = new ArrayList<>();
        List<Token> places = new ArrayList<>();
        Matcher matcher = WORD.matcher(point);
        while (matcher.find()) {
            words.add(matcher.group());
            places.add(within(points, from + matcher.start()));
        }
        if (words.size() != dimensions + 1) {
            throw places.getFirst()
                    .wrong("a point of a stencil on " + dimensions + (dimensions == 1 ? " dimension" : " dimensions")
                            + " is \"" + form() + "\", not \"" + point.strip() + '"');
        }
        int[] offsets = new int[Grid.MOST_DIMENSIONS];
        for (int axis = 0; axis < dimensions; axis++) {
            offsets[axis] = offset(words.get(axis), places.get(axis));
        }
        double weight = weight(words.getLast(), places.getLast());
        try {
            builder.at(offsets[0], offsets[1], offsets[2], weight);
        } catch (IllegalArgumentException e) {
            throw places.getFirst().wrong(String.valueOf(e.getMessage()));
        }
    }

    /** Returns a place within a quoted text; the quote stands before it. */
    private static Token within(Token points, int offset) {
        int line = points.line();
        int column = points.column() + 1;
        for (int i = 0; i < offset; i++) {
            boolean next = points.text().charAt(i) == '\n';
            line += next ? 1 : 0;
            column = next ? 1 : column + 1;
        }
        return new Token(Token.Kind.QUOTED, points.text(), line, column, 0);
    }

    private static int offset(String word, Token at) {
        try {
            return Integer.parseInt(word);
        } catch (NumberFormatException e) {
            throw at.wrong("an offset of a stencil is a whole number of cells, not '" + word + "'");
        }
    }

    private static double weight(String word, Token at) {
        try {
            double weight = Double.parseDouble(word);
            if (Double.isFinite(weight) && word.matches("[-+.0-9eE]+")) { // Java also reads 0x1p3 and 1d
                if (DecimalText.vanishes(word, weight)) {
                    throw at.wrong(word + " is smaller than the smallest number above 0, 4.9e-324");
                }
                return weight;
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw at.wrong("a weight of a stencil is a number, not '" + word + "'");
    }
}
