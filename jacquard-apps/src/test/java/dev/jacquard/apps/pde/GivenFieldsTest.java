package dev.jacquard.apps.pde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Given fields that are computed: where coordinates are taken, and what they may depend on. */
class GivenFieldsTest {
    @TempDir
    Path folder;

    private PdeRuns runs;

    @BeforeEach
    void open() {
        runs = new PdeRuns(folder);
    }

    /**
     * Coordinates within an operator are those of the points where it takes its values: on faces, for a divergence, and
     * beyond the end of a periodic dimension, too.
     */
    @Test
    void coordinatesAreThoseOfTheOperatorsPoints() throws Exception {
        runs.run(runs.file("""
                component: pde
                grid: {cells: 4x2, lengths: 4x2}
                fields:
                  k: {at: cell, value: "cells(x)"}
                  flow: {at: cell, value: "div(sin(pi*x/2)*grad(a))"}
                  far: {at: cell, value: "stencil(x, '1 0 1') + y"}
                unknowns:
                  a: {initial: "cos(pi*x/2)", rate: "0", boundaries: {x: periodic, y: "neumann 0"}}
                  b: {initial: "k", rate: "k", boundaries: {x: periodic, y: "neumann 0"}}
                  f: {initial: "0", rate: "flow", boundaries: {x: periodic, y: "neumann 0"}}
                  g: {initial: "0", rate: "div(sin(pi*x/2)*grad(a))", boundaries: {x: periodic, y: "neumann 0"}}
                  h: {initial: "0", rate: "far", boundaries: {x: periodic, y: "neumann 0"}}
                time: {end: 1, step: 1, method: euler}
                """), "out");
        // The mean of the coordinates of all faces, the last of which has that of the end of the grid.
        double[] k = {0.5, 1.5, 2.5, 3.5};
        double[] far = {2, 3, 4, 5};
        for (int i = 0; i < 8; i++) {
            assertEquals(2 * k[i % 4], runs.values("out", "b")[i], 1e-12);
            assertEquals(far[i % 4] + Math.floorDiv(i, 4), runs.values("out", "h")[i], 1e-12);
        }
        assertArrayEquals(runs.values("out", "g"), runs.values("out", "f"), 1e-12);
        assertTrue(Math.abs(runs.values("out", "f")[0]) > 0.1);
    }

    /** Texts of 3,000 terms are no deeper than their brackets. */
    @Test
    void longTextsAreInitialGivenAndWallValues() throws Exception {
        String text = "(" + "x*(1 - x) - 2*x + ".repeat(1_500) + "0)/1500";
        runs.run(runs.file("""
                component: pde
                grid: {cells: 4, lengths: 4}
                fields:
                  k: {at: cell, value: "TEXT"}
                  moving: {at: cell, value: "TEXT + 0*t"}
                unknowns:
                  c: {initial: "TEXT", rate: "0", boundaries: {x: "dirichlet TEXT"}}
                  d: {initial: "TEXT + 0*k", rate: "k + moving + TEXT"}
                time: {end: 1, step: 1, method: euler}
                """.replace("TEXT", text)), "out");
        for (int i = 0; i < 4; i++) {
            double x = i + 0.5;
            double value = x * (1 - x) - 2 * x;
            assertEquals(value, runs.values("out", "c")[i], 1e-12);
            assertEquals(4 * value, runs.values("out", "d")[i], 1e-11);
        }
    }

    /** Each component of a field on faces takes the component of what lies on faces. */
    @Test
    void fieldsOnFacesMayDependOnOthers() throws Exception {
        runs.run(runs.file("""
                component: pde
                grid: {cells: 4x2, lengths: 4x2}
                fields:
                  w: {at: faces, x: "1", y: "2"}
                  u: {at: faces, x: "2*w*faces(c)", y: "w + grad(c)"}
                unknowns:
                  c: {initial: "x", rate: "0", boundaries: {x-low: "neumann -1", x-high: "neumann 1", y: "neumann 0"}}
                  d: {initial: "0", rate: "div(u)"}
                  e: {initial: "0", rate: "cells(u)"}
                time: {end: 1, step: 1, method: euler}
                """), "out");
        double[] x = {0.5, 1.5, 2.5, 3.5};
        for (int i = 0; i < 8; i++) {
            assertEquals(2, runs.values("out", "d")[i], 1e-12, "the flow across x grows by 2 per cell");
            assertEquals(0.5 * (2 * x[i % 4]) + 0.5 * 2, runs.values("out", "e")[i], 1e-12);
        }
    }

    /** At walls, too: the coordinates are known everywhere. */
    @Test
    void fieldsOfCoordinatesReachAsFarAsTheyLike() throws Exception {
        runs.run(runs.file("""
                component: pde
                grid: {cells: 6x8}
                fields:
                  g: {at: cell, value: "laplacian(sin(2*pi*y))*(1+t)"}
                unknowns:
                  c: {initial: "0", rate: "laplacian(g)", boundaries: {x: "neumann 0", y: periodic}}
                  d: {initial: "0", rate: "laplacian(laplacian(sin(2*pi*y)))*(1+t)"}
                time: {end: 0.1, step: 0.1, method: euler}
                """), "out");
        assertArrayEquals(runs.values("out", "d"), runs.values("out", "c"), 1e-9);
        assertTrue(runs.values("out", "c")[0] > 1);
    }

    /** In a periodic dimension, too, where the field as a whole is the same at both ends. */
    @Test
    void aTextMeansTheSameInAFieldAndInARate() throws Exception {
        runs.run(runs.file("""
                component: pde
                grid: {cells: 6, lengths: 6}
                fields:
                  k: {at: cell, value: "dx(x)"}
                  q: {at: faces, x: "grad(2*x)"}
                  two: {at: cell, value: "dx(x)*(1 + k) + 0*dx(x*t)"}
                  late: {at: cell, value: "x + 2*t*dx(x*x)"}
                  edge: {at: faces, x: "x + grad(x*x)"}
                unknowns:
                  a: {initial: "0", rate: "k", boundaries: {x: periodic}}
                  b: {initial: "dx(x)", rate: "cells(q)", boundaries: {x: periodic}}
                  c: {initial: "k", rate: "two", boundaries: {x: periodic}}
                  d: {initial: "0", rate: "dx(k) + div(q) + dx(two)", boundaries: {x: periodic}}
                  e: {initial: "0", rate: "late", boundaries: {x: periodic}}
                  f: {initial: "0", rate: "dx(late)", boundaries: {x: periodic}}
                  g: {initial: "0", rate: "div(edge)", boundaries: {x: periodic}}
                time: {end: 3, step: 1, method: euler}
                """), "out");
        double[] x = {0.5, 1.5, 2.5, 3.5, 4.5, 5.5};
        for (int i = 0; i < x.length; i++) {
            assertEquals(3, runs.values("out", "a")[i], 1e-12);
            assertEquals(1 + 3 * 2, runs.values("out", "b")[i], 1e-12);
            assertEquals(1 + 3 * 2, runs.values("out", "c")[i], 1e-12);
            assertEquals(0, runs.values("out", "d")[i], 1e-12, "what is the same everywhere has no slope");
            // dx(x*x) is 2x, at t = 0, 1 and 2.
            assertEquals(3 * x[i] + 2 * 2 * x[i] * 3, runs.values("out", "e")[i], 1e-12);
            double slope = (x[(i + 1) % 6] - x[(i + 5) % 6]) / 2;
            assertEquals(3 * slope + 2 * 2 * slope * 3, runs.values("out", "f")[i], 1e-12, "the other end lies there");
            double low = i; // grad(x*x) is 2x on a face
            double high = (i + 1) % 6;
            assertEquals(3 * (3 * high - 3 * low), runs.values("out", "g")[i], 1e-12, "the last face is the first");
        }
    }

    /** Whatever is inside of the operators, and also where the loops of others compute the fields. */
    @ParameterizedTest
    @CsvSource({"float64, false", "float32, true"})
    void aTextIsComputedAlikeInAFieldAndInARate(String type, boolean fuse) throws Exception {
        List<String> texts = List.of(
                "div(y*1)",
                "dx(sin(2*pi*x)*y)*(1 + t)",
                "laplacian(a*x) + div(x*y*grad(a))",
                "cells(x + y) + t*stencil(x*y, '1 -1 0.3; -2 1 0.2')",
                "div(grad(sin(2*pi*(x - t))))",
                "dx(dy(x*y*cells(y*faces(a)))) + k",
                "div(x*u)");
        StringBuilder yaml = new StringBuilder("""
                component: pde
                grid: {cells: 4x6, lengths: 1x1.3}
                fields:
                  u: {at: faces, x: "faces(a)", y: "2"}
                  k: {at: cell, value: "sin(2*pi*x)*cos(t)"}
                """);
        StringBuilder unknowns = new StringBuilder("""
                unknowns:
                  a: {initial: "sin(2*pi*x)", rate: "0", boundaries: {x: periodic, y: periodic}}
                """);
        for (int i = 0; i < texts.size(); i++) {
            yaml.append("  f%d: {at: cell, value: \"%s\"}%n".formatted(i, texts.get(i)));
            for (String rate : List.of("f" + i, texts.get(i), "f%d + 0*dx(f%d)".formatted(i, i))) {
                unknowns.append("  r%d_%d: {initial: \"0\", rate: \"%s\"}%n"
                        .formatted(i, rate.equals(texts.get(i)) ? 1 : rate.length() > 3 ? 2 : 0, rate));
            }
        }
        yaml.append(unknowns).append("time: {end: 0.1, step: 0.05, method: ssp2}\n");
        runs.run(runs.file(yaml.toString()), "out", "grid.type=" + type, "fuse=" + fuse);
        for (int i = 0; i < texts.size(); i++) {
            double[] expected = runs.values("out", "r%d_1".formatted(i));
            double greatest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
            double rounding = type.equals("float64") ? 1e-14 * greatest : 1e-5 * greatest;
            assertArrayEquals(expected, runs.values("out", "r%d_0".formatted(i)), rounding, texts.get(i));
            assertArrayEquals(
                    runs.values("out", "r%d_0".formatted(i)),
                    runs.values("out", "r%d_2".formatted(i)),
                    rounding,
                    texts.get(i));
        }
    }

    /** Beyond the ends a field has the values of the other end, whatever operators are in it. */
    @Test
    void fieldsOfOperatorsRepeatThemselves() throws Exception {
        runs.run(runs.file("""
                component: pde
                grid: {cells: 5x4, lengths: 5x4}
                fields:
                  k: {at: cell, value: "dx(x*x*y) + a"}
                  u: {at: faces, x: "x + faces(y*x)", y: "grad(y*y) + x"}
                  last: {at: cell, value: "dx(k) + dy(k)"}
                unknowns:
                  a: {initial: "x", rate: "0", boundaries: {x: periodic, y: periodic}}
                  b: {initial: "0", rate: "stencil(k, '1 1 1')", boundaries: {x: periodic, y: periodic}}
                  c: {initial: "0", rate: "div(u)", boundaries: {x: periodic, y: periodic}}
                  d: {initial: "0", rate: "stencil(last, '-1 0 1')", boundaries: {x: periodic, y: periodic}}
                time: {end: 1, step: 1, method: euler}
                """), "out");
        for (int i = 0; i < 20; i++) {
            int column = i % 5;
            int row = Math.floorDiv(i, 5);
            assertEquals(k(column + 1, row + 1), runs.values("out", "b")[i], 1e-12);
            double across = ux(column + 1, row) - ux(column, row) + uy(column, row + 1) - uy(column, row);
            assertEquals(across, runs.values("out", "c")[i], 1e-12);
            double slopes = k(column, row) - k(column - 2, row) + k(column - 1, row + 1) - k(column - 1, row - 1);
            assertEquals(slopes / 2, runs.values("out", "d")[i], 1e-12);
        }
    }

    private static double k(int column, int row) {
        double x = Math.floorMod(column, 5) + 0.5;
        double y = Math.floorMod(row, 4) + 0.5;
        return 2 * x * y + x;
    }

    private static double ux(int column, int row) {
        return Math.floorMod(column, 5) * (1 + row + 0.5);
    }

    private static double uy(int column, int row) {
        return 2 * Math.floorMod(row, 4) + column + 0.5;
    }
}
