package dev.jacquard.apps.pde;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
     * Coordinates within an operator are those of the points where it takes its values: on faces, for a divergence. The
     * first face of a periodic dimension is the last, too.
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
        // Of x alone: the mean of 0, the last face, and 1; of both axes: that and x itself, on the faces across y.
        double[] k = {0.5, 1.5, 2.5, 2.5};
        double[] far = {2, 3, 4, 1};
        for (int i = 0; i < 8; i++) {
            assertEquals(2 * k[i % 4], runs.values("out", "b")[i], 1e-12);
            assertEquals(far[i % 4] + Math.floorDiv(i, 4), runs.values("out", "h")[i], 1e-12);
        }
        assertArrayEquals(runs.values("out", "g"), runs.values("out", "f"), 1e-12);
        assertTrue(Math.abs(runs.values("out", "f")[0]) > 0.1);
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
}
