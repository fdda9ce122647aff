package dev.jacquard.apps.bratu;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.ProgramRun;
import dev.jacquard.apps.bratu.Branch.BranchPoint;
import dev.jacquard.apps.bratu.Branch.Iterate;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.run.ComponentFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BratuTest {
    /** U. M. Ascher, R. M. M. Mattheij and R. D. Russell, Numerical Solution of Boundary Value Problems (1988). */
    private static final double LARGEST = 3.513830719;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"SERIAL, 1", "PARALLEL, 2"})
    void findsTheTurningPoint(RunMode mode, int workers) throws Exception {
        ProgramRun run = ProgramRun.example("bratu", mode, workers, folder.resolve("out"));
        assertEquals(LARGEST, run.number("turn", "largest"), 5e-6);
        List<String> rows = Files.readAllLines(folder.resolve("out/turn/branch.csv"));
        assertEquals("arc,lambda,middle", rows.getFirst());
        assertEquals(run.number("turn", "steps") + 1, rows.size());
    }

    @Test
    void bothLoopsAreEnteredAsTheFileSays() throws Exception {
        ProgramRun run = ProgramRun.example("bratu", RunMode.SERIAL, 1, folder.resolve("out"));
        List<?> loops = run.list("loops");
        assertEquals(
                List.of("predict turn", "linearize newton"),
                loops.stream()
                        .map(Map.class::cast)
                        .map(loop -> loop.get("entry") + " " + loop.get("exit"))
                        .toList());
        assertTrue(loops.getLast() instanceof Map<?, ?> inner
                && inner.get("passes") instanceof List<?> passes
                && passes.size() == run.number("turn", "steps"));
    }

    /** The solution is known: {@code u(1/2) = 2 log cosh(q)}, {@code L = 8 q^2 / cosh(q)^2}. */
    @ParameterizedTest
    @CsvSource({"2, 3e-2", "20, 2e-5", "21, 1e-5", "1000, 1e-11"})
    void theMiddleIsThatOfTheSolution(int points, double tolerance) throws Exception {
        ProgramRun.example("bratu", RunMode.SERIAL, 1, folder.resolve("out"), "predict.points=" + points);
        List<String> rows = Files.readAllLines(folder.resolve("out/turn/branch.csv"));
        for (String row : rows.subList(1, rows.size())) {
            String[] values = row.split(",", -1);
            double cosh = Math.exp(Double.parseDouble(values[2]) / 2);
            double q = Math.log(cosh + Math.sqrt(cosh * cosh - 1));
            assertEquals(8 * q * q / (cosh * cosh), Double.parseDouble(values[1]), tolerance, row);
        }
    }

    /** The scheme is of fourth order: a coarse grid is as good as the interpolation. */
    @Test
    void fewPointsAreEnough() throws Exception {
        ProgramRun run = ProgramRun.example(
                "bratu", RunMode.SERIAL, 1, folder.resolve("out"), "predict.points=40", "predict.step=0.01");
        assertEquals(LARGEST, run.number("turn", "largest"), 5e-6);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "predict.step=1 | Newton's method has not converged after 10 steps at L = ",
                "turn.steps=5 | the branch has not turned within 5 steps, up to L = ",
            })
    void whatLeadsNowhereIsTold(String override, String message) {
        String told = String.valueOf(assertThrows(
                        ComponentFailedException.class,
                        () -> ProgramRun.example("bratu", RunMode.SERIAL, 1, folder.resolve("out"), override))
                .getMessage());
        assertTrue(told.contains(message), told);
    }

    @Test
    void theDerivativesAreThoseOfTheEquations() {
        Iterate at = new Iterate(new double[] {0.3, 0.5, 0.4}, 2, 0);
        Discretisation equations = Discretisation.at(at);
        double small = 1e-6;
        double[] direction = {1, -2, 3};
        double[] moved = at.u().clone();
        for (int i = 0; i < moved.length; i++) {
            moved[i] += small * direction[i];
        }
        double[] changed = Discretisation.at(new Iterate(moved, 2, 0)).residual();
        double[] slope = Stream.iterate(0, i -> i < 3, i -> i + 1)
                .mapToDouble(i -> (changed[i] - equations.residual()[i]) / small)
                .toArray();
        assertArrayEquals(direction, equations.solve(slope), 1e-4);
        double[] more = Discretisation.at(new Iterate(at.u(), 2 + small, 0)).residual();
        for (int i = 0; i < 3; i++) {
            assertEquals(equations.byLambda()[i], (more[i] - equations.residual()[i]) / small, 1e-8);
        }
    }

    @Test
    void theBranchBeginsWhereTheParameterGrows() {
        BranchPoint begin = Discretisation.point(new Iterate(new double[9], 0, 0), null, 0);
        assertTrue(begin.dLambda() > 0);
        assertEquals(0.125 * begin.dLambda(), begin.du()[4], 1e-12); // u'' = -1 there
        assertEquals(1, begin.dLambda() * begin.dLambda() + 0.1 * Discretisation.dot(begin.du(), begin.du()), 1e-12);
    }
}
