package dev.jacquard.apps.pde;

import static dev.jacquard.apps.pde.PdeRuns.number;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.WorkFailedException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Automatic steps: as long as their error and stability allow, whatever the solution does. */
class PdeStepsTest {
    @TempDir
    Path folder;

    private PdeRuns runs;

    @BeforeEach
    void open() {
        runs = new PdeRuns(folder);
    }

    private Report error(String initial, String rate, String exact, String time) throws Exception {
        return runs.run(runs.file("""
                component: pde
                grid: {cells: 4}
                unknowns:
                  c: {initial: "%s", rate: "%s", exact: "%s"}
                time: {%s}
                """.formatted(initial, rate, exact, time)), "out");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | -c | exp(-t) | end: 1 | 1e-4",
                "1 | -c | exp(-t) | end: 1, tolerance: 1e-7 | 1e-6",
                "0 | cos(t) | sin(t) | end: 10 | 1e-3",
                "0.001 | c*(1 - c) | 1/(1 + 999*exp(-t)) | end: 20 | 1e-3",
                "0.001 | c*(1 - c) | 1/(1 + 999*exp(-t)) | 'end: 20, method: ssp2' | 1e-2",
                "0.001 | c*(1 - c) | 1/(1 + 999*exp(-t)) | 'end: 20, method: euler' | 0.1"
            })
    void knownSolutionsAreMet(String initial, String rate, String exact, String time, double most) throws Exception {
        Report report = error(initial, rate, exact, time);
        assertTrue(number(report, "unknowns", "c", "error", "max") < most, report::toString);
    }

    /** Dry ground under rain: at the start all steps are stable. */
    @ParameterizedTest
    @CsvSource({"0, 0.043, 0.690", "1e-3, 0.047, 0.691"})
    void aMoundThatBeginsDryStaysWithinItsBounds(String initial, double least, double most) throws Exception {
        Report report = runs.run(runs.file("""
                component: pde
                grid: {cells: 50, lengths: 10}
                unknowns:
                  h:
                    initial: "%s"
                    rate: "div(faces(h)*grad(h)) + where(abs(x - 5) < 1, 0.1, 0)"
                    boundaries: {x: "neumann 0"}
                time: {end: 20}
                """.formatted(initial)), "out");
        assertEquals(least, number(report, "unknowns", "h", "min"), 0.003);
        assertEquals(most, number(report, "unknowns", "h", "max"), 0.003);
        assertTrue(number(report, "stableStep") < 1, report::toString);
        assertTrue(report.lines().get(1).contains("the greatest estimate of a step's error is"), report::toString);
    }

    /** Reactions that make oscillations grow from a state at which long steps are stable. */
    @Test
    void theBrusselatorStaysFinite() throws Exception {
        Report report = runs.run(runs.file("""
                component: pde
                grid: {cells: 32x32, lengths: 32x32}
                parameters: {a: 1, b: 3, d0: 1, d1: 0.1}
                unknowns:
                  u:
                    initial: "a"
                    rate: "d0*laplacian(u) + a - (1 + b)*u + v*u^2"
                    boundaries: {x: periodic, y: periodic}
                  v:
                    initial: "b/a + 0.1*sin(2*pi*x/32*3 + cos(2*pi*y/32*2)) + 0.05*cos(2*pi*(5*x - 7*y)/32)"
                    rate: "d1*laplacian(v) + b*u - v*u^2"
                    boundaries: {x: periodic, y: periodic}
                time: {end: 20}
                """), "out");
        assertTrue(number(report, "unknowns", "u", "max") < 5, report::toString);
        assertTrue(number(report, "unknowns", "u", "min") > 0, report::toString);
    }

    @Test
    void aSolutionThatGrowsWithoutBoundsFails() throws Exception {
        assertMentions(
                assertThrows(WorkFailedException.class, () -> error("1", "c^2", "1", "end: 2")),
                "[c] advance by no step from t = ",
                "the solution grows without bounds; the rates are [that of 'c' at ");
        assertMentions(
                assertThrows(InputException.class, () -> error("1", "c", "1", "end: 2, tolerance: 0")),
                "'time.tolerance' is '0'");
    }
}
