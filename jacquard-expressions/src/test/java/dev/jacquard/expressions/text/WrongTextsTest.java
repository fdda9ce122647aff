package dev.jacquard.expressions.text;

import static dev.jacquard.expressions.text.ExpressionParserTest.PARSER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.jacquard.expressions.field.Location.Cell;
import dev.jacquard.expressions.field.Location.Faces;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.text.ExpressionParser.Source;
import dev.jacquard.expressions.text.ExpressionParser.TextException;
import dev.jacquard.testkit.Messages;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Wrong texts are refused where they are wrong. */
class WrongTextsTest {
    private static final Tag<Cell> C = Tag.cell("c");
    private static final Tag<Faces> U = Tag.faces("u");

    private record Bad(String text, int line, int column, String message) {}

    private static final List<Bad> BAD = List.of(
            new Bad(
                    "c + u",
                    1,
                    3,
                    "'+' joins a value in cells and one on faces; faces(...) leads from cells to faces, cells(...) back"),
            new Bad(
                    "grad(c)*k",
                    1,
                    8,
                    "'*' joins a value on faces and one in cells; faces(...) leads from cells to faces, cells(...) back"),
            new Bad("c +\n  2*corner", 1, 3, "'+' joins a value in cells and one at nodes"),
            new Bad("div(c)", 1, 5, "'div' takes a value on faces, and this one is in cells"),
            new Bad("1 + grad(2*u)", 1, 10, "'grad' takes a value in cells, and this one is on faces"),
            new Bad("grad(c)", 1, 1, "the expression has values on faces, and is wanted in cells"),
            new Bad(
                    "where(u < 1, c, 0)",
                    1,
                    1,
                    "'where' joins a value on faces and one in cells; faces(...) leads from cells to faces, cells(...) back"),
            new Bad(
                    "c < u",
                    1,
                    3,
                    "'<' joins a value in cells and one on faces; faces(...) leads from cells to faces, cells(...) back"),
            new Bad("where(c, 1, 2)", 1, 7, "where(condition, yes, no) takes a comparison first, such as x < 0.5"),
            new Bad("c < 1", 1, 1, "a comparison is no value: only where(condition, yes, no) takes it"),
            new Bad("2*(c < 1)", 1, 4, "a comparison is no value: only where(condition, yes, no) takes it"),
            new Bad(
                    "where(0 < x < 1, 1, 2)",
                    1,
                    13,
                    "a comparison has two sides; where(0 < x, where(x < 1, yes, no), no) joins two of them"),
            new Bad("kapa*c", 1, 1, "there is no field, parameter or number 'kapa'; did you mean 'kappa'?"),
            new Bad(
                    "c*\n  temperature",
                    2,
                    3,
                    "there is no field, parameter or number 'temperature'; known are c, k, u, corner, kappa, lambda, x, y, z, t, pi"),
            new Bad("2*\u03c0*x", 1, 3, "there is no field, parameter or number '\u03c0'; did you mean 'pi'?"),
            new Bad("ln(c)", 1, 1, "there is no function 'ln'; did you mean 'log'?"),
            new Bad(
                    "stencil(c, '1 0 0 1e-400')",
                    1,
                    19,
                    "1e-400 is smaller than the smallest number above 0, 4.9e-324"),
            new Bad("sine(c)", 1, 1, "there is no function 'sine'; did you mean 'sin'?"),
            new Bad("c(2)", 1, 1, "'c' is a value, not a function; a product is written c*(...)"),
            new Bad("2*sin", 1, 3, "'sin' is called with its operand in brackets: sin(...)"),
            new Bad("max(c)", 1, 1, "'max' takes 2 values, not 1"),
            new Bad("sin(c, k)", 1, 1, "'sin' takes 1 value, not 2"),
            new Bad("dx()", 1, 1, "'dx' takes 1 value, not 0"),
            new Bad("where(c < 1, 2)", 1, 1, "'where' takes 3 values, not 2"),
            new Bad("", 1, 1, "the expression is empty"),
            new Bad(" \n ", 2, 2, "the expression is empty"),
            new Bad("2*(c + 1", 1, 3, "this '(' is not closed"),
            new Bad("sin(c", 1, 4, "this '(' is not closed"),
            new Bad("(c + 1))", 1, 8, "this ')' closes no '('"),
            new Bad(")", 1, 1, "this ')' closes no '('"),
            new Bad("()", 1, 2, "a value is missing after '('"),
            new Bad("c +", 1, 4, "a value is missing after '+'"),
            new Bad("*c", 1, 1, "a value is missing before '*'"),
            new Bad("c + * k", 1, 5, "a value is missing before '*'"),
            new Bad("max(c,)", 1, 7, "a value is missing after ','"),
            new Bad("c, k", 1, 2, "',' does not belong here"),
            new Bad("2c", 1, 2, "an operator such as * is missing before 'c'"),
            new Bad("(c k)", 1, 4, "an operator such as * is missing before 'k'"),
            new Bad("1.2.3", 1, 4, "an operator such as * is missing before '.3'"),
            new Bad("1e999", 1, 1, "1e999 is larger than the largest number, 1.8e308"),
            new Bad("1e-400", 1, 1, "1e-400 is smaller than the smallest number above 0, 4.9e-324"),
            new Bad("c**2", 1, 2, "'**' has no meaning in an expression; powers are written ^"),
            new Bad("where(c = 1, 1, 2)", 1, 9, "'=' has no meaning in an expression; equality is written =="),
            new Bad("c $ 1", 1, 3, "'$' has no meaning in an expression"),
            new Bad("c \u2212 1", 1, 3, "'\u2212' has no meaning in an expression; minus is written -"),
            new Bad("\"c\"", 1, 1, "only stencil(field, \"c\") takes a quoted text"),
            new Bad("stencil(c, \"1 0 0 1)", 1, 12, "this \" has no other one that ends the quoted text"),
            new Bad(
                    "stencil(c, 1)",
                    1,
                    12,
                    "stencil takes its points as a quoted text, such as \"1 0 0 0.5; -1 0 0 0.5\""),
            new Bad("stencil(c)", 1, 1, "'stencil' takes 2 values, not 1"),
            new Bad(
                    "stencil(c, \"1 0 0.5\")",
                    1,
                    13,
                    "a point of a stencil on 3 dimensions is \"di dj dk weight\", not \"1 0 0.5\""),
            new Bad(
                    "stencil(c, \"1 0 0 1;  1 0.5 0 1\")",
                    1,
                    25,
                    "an offset of a stencil is a whole number of cells, not '0.5'"),
            new Bad("stencil(c, \"1 0 0 heavy\")", 1, 19, "a weight of a stencil is a number, not 'heavy'"),
            new Bad("stencil(c, \"1 0 0 0x1p3\")", 1, 19, "a weight of a stencil is a number, not '0x1p3'"),
            new Bad(
                    "stencil(c, \"1 0 0 1; 0 0 17 1\")",
                    1,
                    22,
                    "a stencil reaches at most 16 cells far, as many as a grid has ghost layers, not 17"),
            new Bad("stencil(c, \"\")", 1, 13, "a point of the stencil is missing; one is \"di dj dk weight\""));

    @Test
    void wrongTextsAreRefusedWhereTheyAreWrong() {
        for (Bad bad : BAD) {
            TextException e = assertThrows(
                    TextException.class, () -> PARSER.parse(bad.text(), Cell.class), () -> "\"" + bad.text() + '"');
            assertEquals(
                    "line " + bad.line() + ", column " + bad.column() + ": " + bad.message(),
                    e.getMessage(),
                    () -> "\"" + bad.text() + '"');
            assertEquals(bad.line(), e.line());
            assertEquals(bad.column(), e.column());
        }
    }

    @Test
    void placesAreThoseOfTheFile() {
        TextException e =
                assertThrows(TextException.class, () -> PARSER.parse(new Source("c + u", 17, 12), Cell.class));
        assertEquals(17, e.line());
        assertEquals(14, e.column());
        TextException next =
                assertThrows(TextException.class, () -> PARSER.parse(new Source("c\n + u", 17, 12), Cell.class));
        assertEquals(18, next.line());
        assertEquals(2, next.column());
        TextException quoted = assertThrows(
                TextException.class,
                () -> PARSER.parse(new Source("stencil(c, '0 0 0 1;\n 0 0 x 1')", 3, 5), Cell.class));
        assertEquals(
                "line 4, column 6: an offset of a stencil is a whole number of cells, not 'x'", quoted.getMessage());
    }

    @Test
    void axesThatTheGridLacksAreRefused() {
        ExpressionParser flat = ExpressionParser.of(2).field(C).field(U);
        assertEquals(
                "line 1, column 5: a grid of 2 dimensions has no z",
                assertThrows(TextException.class, () -> flat.parse("c + z", Cell.class))
                        .getMessage());
        assertEquals(
                "line 1, column 1: 'dz' needs more dimensions than the 2 of the grid",
                assertThrows(TextException.class, () -> flat.parse("dz(c)", Cell.class))
                        .getMessage());
        Messages.assertMentions(
                assertThrows(TextException.class, () -> flat.parse("stencil(c, '1 0 0 1')", Cell.class)),
                "on 2 dimensions is \"di dj weight\"");
        flat.parse("stencil(c, '1 0 1') + y", Cell.class);
    }
}
