package dev.jacquard.apps.pde;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Numbers at the ends of what their types hold, and values that are missing in ghost cells. */
class PdeNumbersTest {
    /** A wave of a free electron on 1 nm. */
    private static final String WAVE = """
            component: pde
            grid: {cells: 64, lengths: 1e-9, type: float32}
            parameters: {hbar: 1.054571817e-34, m: 9.1093837e-31, L: 1e-9}
            unknowns:
              re:
                initial: "cos(2*pi*x/L)"
                rate: "-hbar^2/(2*m)/hbar*laplacian(im)"
                boundaries: {x: periodic}
              im:
                initial: "sin(2*pi*x/L)"
                rate: "hbar^2/(2*m)/hbar*laplacian(re)"
                boundaries: {x: periodic}
            time: {step: 1e-18, end: 1e-15}
            output: {image: none}
            """;

    private static final String ROOT = """
            component: pde
            grid: {cells: 50, lengths: 1}
            fields:
              k: {at: cell, value: "sqrt(x)"}
            unknowns:
              c:
                initial: "x"
                rate: "div(faces(k)*grad(c))"
                boundaries: {x: "neumann 0"}
            time: {step: 1e-4, end: 0.01}
            output: {image: none}
            """;

    @TempDir
    Path folder;

    private PdeRuns runs;

    @BeforeEach
    void open() {
        runs = new PdeRuns(folder);
    }

    private void assertRefused(String yaml, String message, String... settings) throws Exception {
        Path file = runs.file(yaml);
        InputException error = assertThrows(InputException.class, () -> runs.run(file, "out", settings));
        assertTrue(error.getMessage().contains(message), error.getMessage());
    }

    /** Factors among themselves are too small for a float, and what they make is not. */
    @Test
    void aWaveOfFloatsMovesAsThatOfDoubles() throws Exception {
        Path file = runs.file(WAVE);
        runs.run(file, "floats");
        runs.run(file, "doubles", "grid.type=float64");
        double[] floats = runs.values("floats", "re");
        double[] doubles = runs.values("doubles", "re");
        for (int i = 0; i < doubles.length; i++) {
            assertEquals(doubles[i], floats[i], 1e-3);
        }
        double still = Math.cos(2 * Math.PI / 64 / 2);
        assertTrue(Math.abs(doubles[0] - still) > 0.1, "it has moved: " + doubles[0]);
    }

    @Test
    void numbersThatWouldBecomeZeroOrInfiniteAreRefused() throws Exception {
        assertRefused(WAVE.replace("-hbar^2/(2*m)/hbar", "-hbar^2"), ":7:12: 'unknowns.re.rate': the number -1.11");
        assertRefused(
                WAVE.replace("-hbar^2/(2*m)/hbar", "m"),
                ":7:12: 'unknowns.re.rate': the parameter 'm' is 1.0E-50, which would be 0 in 'grid.type: float32'",
                "parameters.m=1e-50");
        assertRefused(
                WAVE.replace("-hbar^2/(2*m)/hbar", "m"),
                "the parameter 'm' is 1.0E50, which would be infinite in 'grid.type: float32', whose largest number is",
                "parameters.m=1e50");
        assertRefused(
                WAVE, "'parameters.m' is '1e-400'; expected a number, 0 or 4.9E-324 at least", "parameters.m=1e-400");
    }

    @Test
    void aGivenFieldWithoutAValueInAGhostCellIsNamed() throws Exception {
        assertRefused(
                ROOT,
                ":4:25: 'fields.k.value': the given field 'k' is not finite beyond x-low, at x = -0.01, the"
                        + " centre of a ghost cell that the rate of 'c' needs");
        assertRefused(
                ROOT.replace("sqrt(x)", "sqrt(1 - x)"),
                "the given field 'k' is not finite beyond x-high, at x = 1.01, the centre");
        runs.run(runs.file(ROOT.replace("sqrt(x)", "sqrt(max(x, 0))")), "out");
        String ahead = ROOT.replace("div(faces(k)*grad(c))", "laplacian(c) - stencil(k, '1 1')*c");
        runs.run(runs.file(ahead), "out"); // its stencil reads beyond the high end alone
        assertRefused(ahead.replace("'1 1'", "'-1 1'"), "is not finite beyond x-low");
        runs.run(runs.file(ROOT.replace("faces(k)*grad(c)", "grad(c)").replace("- c", "- k*c")), "out");
    }

    /** Where a double has the values, and not their squares. */
    @Test
    void errorsAreMeasuredWhateverTheirSize() throws Exception {
        for (String size : new String[] {"1e200", "1e-200", "1"}) {
            String yaml = ROOT.replace("sqrt(x)", "1")
                    .replace("initial: \"x\"", "initial: \"" + size + "\"\n    exact: \"2*" + size + "\"");
            Report report = runs.run(runs.file(yaml), "out");
            assertEquals(
                    Double.parseDouble(size),
                    PdeRuns.number(report, "unknowns", "c", "error", "l2"),
                    1e-12 * Double.parseDouble(size));
        }
    }

    @Test
    void hintsHelp() throws Exception {
        assertRefused(
                ROOT,
                "has no setting 'time.dt'; known are time.method, time.step, time.tolerance, time.share, time.stability,"
                        + " time.end",
                "time.dt=1");
        assertRefused(ROOT.replace("sqrt(x)", "sin(2*\u03c0*x)"), "number '\u03c0'; did you mean 'pi'?");
        assertRefused(ROOT.replace("sqrt(x)", "ln(1 + x)"), "there is no function 'ln'; did you mean 'log'?");
    }
}
