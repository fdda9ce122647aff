package dev.jacquard.expressions.text;

import static dev.jacquard.expressions.language.Functions.*;
import static dev.jacquard.expressions.language.Operators.*;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.codegen.Loops;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.field.Location;
import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.FaceX;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Expr;
import dev.jacquard.expressions.language.ExpressionPrinter;
import dev.jacquard.expressions.language.RandomExpressions;
import dev.jacquard.expressions.language.Stencil;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.text.ExpressionParser.PointFunction;
import dev.jacquard.expressions.text.ExpressionParser.Source;
import dev.jacquard.expressions.text.ExpressionParser.TextException;
import dev.jacquard.expressions.tree.Assignment;
import dev.jacquard.expressions.tree.FieldStore;
import dev.jacquard.testkit.Messages;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Texts are the expressions that they say. */
class ExpressionParserTest {
    private static final Tag<Cell> C = Tag.cell("c");
    private static final Tag<Cell> K = Tag.cell("k");
    private static final Tag<Faces> U = Tag.faces("u");
    /** Knows fields in cells, on faces and at nodes, and two parameters. */
    static final ExpressionParser PARSER = ExpressionParser.of(3)
            .field(C)
            .field(K)
            .field(U)
            .field(Tag.node("corner"))
            .parameter("kappa")
            .parameter("lambda");

    private static final Map<String, Double> NUMBERS = Map.of("kappa", 0.3, "lambda", 2.0, "t", 0.7);

    private static Map<String, Expr<Cell>> inCells() {
        Map<String, Expr<Cell>> all = new LinkedHashMap<>();
        all.put("c", C);
        all.put("1", number(1));
        all.put("1 + c", InCells.of(1).plus(C));
        all.put("c - k - 2", C.minus(K).minus(2));
        all.put("c - (k - 2)", C.minus(K.minus(2)));
        all.put("c/k/2", C.dividedBy(K).dividedBy(2));
        all.put("c/k*2", C.dividedBy(K).times(2));
        all.put("1 + 2*c", InCells.of(1).plus(InCells.of(2).times(C)));
        all.put("-c^2", pow(C, number(2)).negate());
        all.put("(-c)^2", pow(C.negate(), number(2)));
        all.put("-2^2 + c", pow(InCells.of(2), InCells.of(2)).negate().plus(C));
        all.put("k^c^2", pow(K, pow(C, number(2))));
        all.put("(k^c)^2", pow(pow(K, C), number(2)));
        all.put("2^-c", pow(InCells.of(2), C.negate()));
        all.put("2^-c^2", pow(InCells.of(2), pow(C, number(2)).negate()));
        all.put("c*-k", C.times(K.negate()));
        all.put("-c*k", C.negate().times(K));
        all.put("--c", C.negate().negate());
        all.put("+c - +k", C.minus(K));
        all.put("1e-1*c + .5 + 2.", InCells.of(0.1).times(C).plus(0.5).plus(2));
        all.put("2*pi*x", InCells.of(2).times(Math.PI).times(x()));
        all.put(
                "x + 10*y + 100*z",
                InCells.at(0)
                        .plus(InCells.of(10).times(y()))
                        .plus(InCells.of(100).times(z())));
        all.put("exp(-t)*kappa", exp(InCells.named("t").negate()).times(parameter("kappa")));
        all.put("min(c, k) + max(c, k)*abs(-c)", min(C, K).plus(max(C, K).times(abs(C.negate()))));
        all.put(
                "sqrt(c) + log(c) + sin(c) + cos(c) + tanh(c)",
                sqrt(C).plus(log(C)).plus(sin(C)).plus(cos(C)).plus(tanh(C)));
        all.put("pow(c, k)", pow(C, K));
        all.put("where(c < k, 1, 2)", where(C.lessThan(K), number(1), number(2)));
        all.put("where(c > k, c, k)", where(K.lessThan(C), C, K));
        all.put("where(c <= 1, c, k)", where(C.atMost(1), C, K));
        all.put("where(c >= 1, c, k)", where(InCells.of(1).atMost(C), C, K));
        all.put("where(c < c, c, k)", where(C.lessThan(C), C, K));
        all.put("where(c > c, c, k)", where(C.lessThan(C), C, K));
        all.put("where(c <= c, c, k)", where(C.atMost(C), C, K));
        all.put("where(c >= c, c, k)", where(C.atMost(C), C, K));
        all.put("where(c == c, c, k)", where(C.equalTo(C), C, K));
        all.put("where(c != 1, c, k)", where(C.equalTo(1).not(), C, K));
        all.put("where((x < 0.5), c, 0)", where(InCells.at(0).lessThan(0.5), C, number(0)));
        all.put(
                "where(x + y < 1, where(z < 0.5, c, k), 0)",
                where(InCells.at(0).plus(y()).lessThan(1), where(InCells.at(2).lessThan(0.5), C, K), number(0)));
        all.put("div(u*faces(c))", div(U.times(faces(C))));
        all.put(
                "-div(u*faces(c)) + div(kappa*grad(c)) - lambda*c",
                div(U.times(faces(C)))
                        .negate()
                        .plus(div(OnFaces.named("kappa").times(grad(C))))
                        .minus(InCells.named("lambda").times(C)));
        all.put("cells(u)", cells(U));
        all.put("laplacian(c)*k", laplacian(C).times(K));
        all.put("dx(c) + dy(c) + dz(c)", dx(C).plus(dy(C)).plus(dz(C)));
        all.put("div(faces(x)*u)", div(faces(InCells.at(0)).times(U)));
        all.put("div(y*u)", div(OnFaces.atY().times(U)));
        all.put(
                "stencil(c, \"1 0 0 0.5; -1 0 0 -0.5\")",
                stencil(C, Stencil.builder().at(1, 0, 0, 0.5).at(-1, 0, 0, -0.5).build()));
        all.put(
                "2*stencil(c*k, '0 1 -1 1e-1;\n 0 0 0 2;')",
                InCells.of(2)
                        .times(stencil(
                                C.times(K),
                                Stencil.builder()
                                        .at(0, 1, -1, 0.1)
                                        .at(0, 0, 0, 2)
                                        .build())));
        return all;
    }

    /** Terms without a location of their own, in cells. */
    private static final class InCells {
        static Expr<Cell> of(double value) {
            return number(value);
        }

        static Expr<Cell> named(String parameter) {
            return parameter(parameter);
        }

        static Expr<Cell> at(int axis) {
            return axis == 0 ? x() : axis == 1 ? y() : z();
        }
    }

    /** Terms without a location of their own, on faces. */
    private static final class OnFaces {
        static Expr<Faces> named(String parameter) {
            return parameter(parameter);
        }

        static Expr<Faces> atY() {
            return y();
        }
    }

    private static Map<String, Expr<Faces>> onFaces() {
        Map<String, Expr<Faces>> all = new LinkedHashMap<>();
        all.put("u", U);
        all.put("1", number(1));
        all.put("faces(c)*grad(c)", faces(C).times(grad(C)));
        all.put("where(u < faces(c), u, 0)", where(U.lessThan(faces(C)), U, number(0)));
        all.put("u - kappa*grad(c*c)", U.minus(OnFaces.named("kappa").times(grad(C.times(C)))));
        return all;
    }

    @Test
    void textsAreTheExpressionsThatTheySay() {
        Grid grid = Grid.of(5, 4, 3).lengths(1, 2, 1.5).ghosts(1);
        try (Session session = Session.open();
                FieldStore fields = FieldStore.open(session, grid)) {
            fields.set(C, (x, y, z) -> 1.5 + Math.sin(3 * x + y) * Math.cos(z));
            fields.set(K, (x, y, z) -> 2 - 0.5 * x * y + z);
            fields.set(U, (x, y, z) -> Math.cos(x) - y * z);
            inCells().forEach((text, expression) -> requireSame(fields, text, expression, Cell.class));
            onFaces().forEach((text, expression) -> requireSame(fields, text, expression, Faces.class));
        }
    }

    private static <L extends Location> void requireSame(
            FieldStore fields, String text, Expr<L> expression, Class<L> location) {
        Tag<L> one = new Tag<>("one", location);
        Tag<L> other = new Tag<>("other", location);
        var graph = fields.session().graph();
        Map<String, Double> numbers = new HashMap<>(NUMBERS);
        numbers.keySet().retainAll(ExpressionParser.names(new Source(text, 1, 1)));
        Assignment.of(fields, one, expression, Loops.Form.INTERPRETER).submit(graph, numbers);
        Assignment.of(fields, other, PARSER.parse(text, location), Loops.Form.INTERPRETER)
                .submit(graph, numbers);
        for (int axis = 0; axis < (one.isVector() ? 3 : 1); axis++) {
            assertArrayEquals(fields.values(fields.field(one, axis)), fields.values(fields.field(other, axis)), text);
        }
    }

    @Test
    void componentsAreOfNumbersAndVectors() {
        PARSER.parse("1 + x*kappa", FaceX.class);
        PARSER.parse("1 + u*faces(c)", FaceX.class);
        assertThrows(TextException.class, () -> PARSER.parse("1 + c", FaceX.class));
    }

    @Test
    void namesMustBeFreeAndWritten() {
        for (String name : List.of("x", "t", "pi", "sin", "stencil", "c", "kappa", "dc/dt", "2c", "a b")) {
            assertThrows(IllegalArgumentException.class, () -> PARSER.parameter(name), name);
            assertThrows(IllegalArgumentException.class, () -> PARSER.field(Tag.cell(name)), name);
        }
        assertThrows(IllegalArgumentException.class, () -> ExpressionParser.of(4));
        Expr<Cell> named = ExpressionParser.of(1).field(Tag.cell("\u03b8_1")).parse("\u03b8_1 + 1", Cell.class);
        assertEquals(Set.of(Tag.cell("\u03b8_1")), named.reads());
    }

    @Test
    void textsMayBeLongButNotDeep() {
        Expr<Cell> sum = PARSER.parse("c" + " + k*2".repeat(50_000), Cell.class);
        assertEquals(Set.of(C, K), sum.reads());
        PARSER.parse("(".repeat(190) + "c" + ")".repeat(190), Cell.class);
        for (String deep :
                List.of("(".repeat(100_000), "-".repeat(100_000), "2^".repeat(100_000), "sin(".repeat(100_000))) {
            Messages.assertMentions(
                    assertThrows(TextException.class, () -> PARSER.parse(deep, Cell.class)), "within each other");
        }
    }

    @Test
    void functionsOfLongTextsNeedNoDeepStack() {
        double sum = 0;
        double product = 1;
        StringBuilder text = new StringBuilder("0");
        StringBuilder factors = new StringBuilder("1");
        for (int i = 0; i < 100_000; i++) {
            String sign = i % 3 == 0 ? " - " : " + ";
            text.append(sign).append(i).append("*x");
            sum = i % 3 == 0 ? sum - i * 0.1 : sum + i * 0.1;
            factors.append(i % 2 == 0 ? "*x" : "/x");
            product = i % 2 == 0 ? product * 0.1 : product / 0.1;
        }
        assertEquals(sum, function(text.toString()).at(0.1, 0, 0, 0));
        assertEquals(product, function(factors.toString()).at(0.1, 0, 0, 0));
        assertEquals(0, function("(" + text + ") - (" + text + ")").at(0.1, 0, 0, 0));
    }

    // ---- functions

    private static PointFunction function(String text) {
        return PARSER.function(new Source(text, 1, 1), NUMBERS);
    }

    @Test
    void valuesAtBoundariesAreFunctions() {
        assertEquals(Math.sin(0.5) * 2 + 3, function("sin(t)*2 + 3").at(0, 0, 0, 0.5), 1e-15);
        assertEquals(1 + 20 + 300, function("x + 10*y + 100*z").at(1, 2, 3, 0));
        assertEquals(0.3 * Math.PI, function("kappa*pi").at(0, 0, 0, 0));
        assertEquals(-4, function("-2^2").at(0, 0, 0, 0));
        assertEquals(512, function("2^3^2").at(0, 0, 0, 0));
        assertEquals(7, function("max(min(x, 7), 2) / 1 - 0").at(9, 0, 0, 0));
        for (String sign : List.of("<", "<=", ">", ">=", "==", "!=")) {
            PointFunction where = function("where(x " + sign + " y, 1, 0)");
            String held = "" + (int) where.at(1, 2, 0, 0) + (int) where.at(2, 2, 0, 0) + (int) where.at(3, 2, 0, 0);
            assertEquals(
                    Map.of("<", "100", "<=", "110", ">", "001", ">=", "011", "==", "010", "!=", "101")
                            .get(sign),
                    held,
                    sign);
        }
        String sum = "abs(-x) + sqrt(y) + exp(z) + log(y) + pow(y, 2) + sin(x) + cos(x) + tanh(x)";
        assertEquals(
                1.5 + 2 + Math.exp(0.25) + Math.log(4) + 16 + Math.sin(1.5) + Math.cos(1.5) + Math.tanh(1.5),
                function(sum).at(1.5, 4, 0.25, 0),
                1e-13);
    }

    @Test
    void functionsHaveNoFields() {
        assertEquals(
                "line 1, column 5: there are no fields here: the expression may have numbers, parameters, coordinates"
                        + " and the time",
                assertThrows(TextException.class, () -> function("1 + c")).getMessage());
        assertEquals(
                3, assertThrows(TextException.class, () -> function("2*dx(x)")).column());
        assertThrows(
                IllegalArgumentException.class, () -> PARSER.function(new Source("1", 1, 1), Map.of("kappa", 1.0)));
    }

    @Test
    void namesOfATextTellWhetherItDependsOnTheTime() {
        assertEquals(Set.of("sin", "t", "c"), ExpressionParser.names(new Source("sin(t)*c + t", 1, 1)));
    }

    // ---- random texts

    @Test
    void randomExpressionsComeBackFromTheirTexts() {
        int seen = 0;
        for (long seed = 1; seed <= 30_000; seed++) {
            int dimensions = 1 + (int) (seed % 3);
            RandomExpressions random = new RandomExpressions(new Random(seed), dimensions);
            ExpressionPrinter printer = new ExpressionPrinter(dimensions);
            ExpressionParser parser = ExpressionParser.of(dimensions).parameter(RandomExpressions.PARAMETER);
            for (Tag<?> tag : RandomExpressions.FIELDS) {
                parser = parser.field(tag);
            }
            boolean isFaces = seed % 4 == 0;
            Expr<?> expression = isFaces ? random.faces(4) : random.cell(4);
            Optional<String> text = printer.print(expression);
            if (text.isPresent()) {
                seen++;
                Expr<?> again = isFaces ? parser.parse(text.get(), Faces.class) : parser.parse(text.get(), Cell.class);
                assertEquals(text, printer.print(again), "seed " + seed);
                assertEquals(expression.reads(), again.reads(), "seed " + seed);
            }
        }
        assertTrue(seen > 3000, "only " + seen + " expressions have a text");
    }
}
