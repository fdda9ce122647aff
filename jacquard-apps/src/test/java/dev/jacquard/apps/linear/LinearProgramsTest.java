package dev.jacquard.apps.linear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.apps.ProgramRun;
import dev.jacquard.apps.TestData;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.run.ComponentFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinearProgramsTest {
    private static final String SOLVE = """
            components:
              matrix: {component: read-matrix, file: a.mtx}
              solve: {component: solve-linear}
            """;

    @TempDir
    Path folder;

    @Test
    void theExamplesMatrixIsTheOneThatIsMade() throws Exception {
        assertEquals(GridMatrix.text(20, 1), Files.readString(Path.of("../examples/data/grid-20x20.mtx")));
    }

    /** The passes of a trial are 4, 4, 4, 3 and 3. */
    @ParameterizedTest
    @CsvSource({
        "grid-20x20, cholesky, 6",
        "494_bus, cholesky, 6",
        "bcsstk13, cholesky, 8",
        "west0479, lu, 6",
        "watt_2, lu, 6"
    })
    void refinementReachesTheLastDigit(String name, String method, int most) throws Exception {
        String file = name.startsWith("grid")
                ? "data/grid-20x20.mtx"
                : TestData.find("matrices/" + name + ".mtx").toString();
        ProgramRun run =
                ProgramRun.example("refine", RunMode.PARALLEL, 2, folder.resolve("out"), "matrix.file=" + file);
        assertTrue(run.number("check", "error") <= 1e-15, run.results()::toString);
        assertTrue(run.number("check", "passes") <= most, run.results()::toString);
        assertTrue(run.number("check", "passes") > 1, "factors in float are exact at once");
        assertTrue(String.valueOf(run.results().get("factor")).startsWith(method), run.results()::toString);
    }

    @Test
    void factorsInDoubleNeedFewerPasses() throws Exception {
        ProgramRun run =
                ProgramRun.example("refine", RunMode.SERIAL, 1, folder.resolve("out"), "factor.precision=double");
        assertTrue(run.number("check", "passes") <= 2, run.results()::toString);
    }

    @Test
    void whatDoesNotConvergeIsToldWithThePasses() {
        Exception error = assertThrows(
                ComponentFailedException.class,
                () -> ProgramRun.example(
                        "refine", RunMode.SERIAL, 1, folder.resolve("out"), "check.passes=2", "check.limit=1e-16"));
        String message = String.valueOf(error.getMessage());
        assertTrue(message.contains("'check'") && message.contains("not converged after 2 passes: the error"), message);
    }

    /** Small panels, so that all kinds of steps occur; the last panel is a narrow one. */
    @ParameterizedTest
    @ValueSource(strings = {"float", "double"})
    void methodsAgree(String precision) throws Exception {
        Files.writeString(folder.resolve("a.mtx"), GridMatrix.text(7, 3));
        Path file = Files.writeString(folder.resolve("p.yaml"), SOLVE);
        for (String method : new String[] {"auto", "cholesky", "lu"}) {
            for (int panel : new int[] {1, 5, 49, 100}) {
                ProgramRun run = ProgramRun.of(
                        file,
                        RunMode.PARALLEL,
                        2,
                        folder.resolve("out"),
                        "solve.precision=" + precision,
                        "solve.method=" + method,
                        "solve.panel=" + panel);
                assertTrue(run.number("solve", "error") <= 1e-15, method + " " + panel);
                assertTrue(run.number("solve", "passes") <= 6, method + " " + panel);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "real general/2 2 3/1 1 0/1 2 1/2 1 1 | auto |", // needs an exchange of rows
                "real symmetric/2 2 2/1 1 1/2 1 2 | auto |", // indefinite: its diagonal has a zero
                "real symmetric/2 2 3/1 1 1/2 1 2/2 2 1 | auto |", // indefinite: found by the factorisation
                "real symmetric/2 2 3/1 1 1/2 1 2/2 2 1 | cholesky | the 2 x 2 matrix of 4 entries has no Cholesky "
                        + "factors: the matrix is not positive definite: its leading minor of order 2 of 2 is not positive",
                "real general/2 2 2/1 1 1/1 2 1 | cholesky | the 2 x 2 matrix of 2 entries has no Cholesky factors: it "
                        + "is not symmetric",
                "real general/2 2 2/1 1 1/1 2 1 | auto | the 2 x 2 matrix of 2 entries cannot be factored: the matrix "
                        + "is singular: pivot 2 of 2 is zero",
                "pattern general/2 3 2/1 1/1 2 | auto | the 2 x 3 matrix of 2 entries cannot be factored; expected as "
                        + "many rows as columns",
                "pattern general/60000 60000 1/1 1 | auto | the 60000 x 60000 matrix of 1 entries cannot be factored: "
                        + "its factors are dense; expected ",
                "real general/3 3 9/1 1 .1/1 2 .2/1 3 .3/2 1 .4/2 2 .5/2 3 .6/3 1 .7/3 2 .8/3 3 .9 | auto | the 3 x 3 "
                        + "matrix of 9 entries cannot be factored: the matrix is singular: pivot 3 of 3 is ",
                "real general/2 2 4/1 1 1/2 2 4/1 1 1/2 1 3 | auto |", // two of its entries are one, the sum
                "real general/2 2 9/1 1 0 | auto | a.mtx:5: the file ends after 1 of 9 entries",
                "real general/2 2 4/1 1 1e308/1 2 1e308/2 1 1e308/2 2 -1e308 | auto | the right-hand side has NaN "
                        + "in row 1",
            })
    void theMethodFitsTheMatrixOrAnErrorTellsWhy(String text, String method, String message) throws Exception {
        Files.writeString(
                folder.resolve("a.mtx"),
                "%%MatrixMarket matrix coordinate " + text.replace('/', '\n') + "\n%" + " ".repeat(99));
        Path file = Files.writeString(folder.resolve("p.yaml"), SOLVE);
        if (message == null) {
            ProgramRun run = ProgramRun.of(file, RunMode.SERIAL, 1, folder.resolve("out"), "solve.method=" + method);
            assertTrue(run.number("solve", "error") <= 1e-15, run.results()::toString);
            return;
        }
        String told = String.valueOf(assertThrows(
                        InputException.class,
                        () -> ProgramRun.of(file, RunMode.SERIAL, 1, folder.resolve("out"), "solve.method=" + method))
                .getMessage());
        assertTrue(told.contains(message), told);
    }

    /** Of Wilkinson's matrix, whose condition is its order, the last pivot is 2 to the power n - 1, the others 1. */
    @Test
    void pivotsThatGrowMakeNoMatrixSingular() throws Exception {
        int n = 50;
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix array real general\n" + n + ' ' + n + '\n');
        for (int column = 1; column <= n; column++) {
            for (int row = 1; row <= n; row++) {
                text.append(row == column || column == n ? 1 : row > column ? -1 : 0)
                        .append('\n');
            }
        }
        Files.writeString(folder.resolve("a.mtx"), text);
        Path file = Files.writeString(folder.resolve("p.yaml"), SOLVE);
        ProgramRun run = ProgramRun.of(file, RunMode.SERIAL, 1, folder.resolve("out"));
        assertTrue(run.number("solve", "error") <= 1e-15, run.results()::toString);
    }

    /** Pivots grow to 2 to the power 49, and are 1 behind: the matrix is as well conditioned as before. */
    @ParameterizedTest
    @ValueSource(strings = {"float", "double"})
    void pivotsBehindOnesThatHaveGrownAreNotZero(String precision) throws Exception {
        int n = 50;
        int more = 10;
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix array real general\n");
        text.append(n + more).append(' ').append(n + more).append('\n');
        for (int column = 1; column <= n + more; column++) {
            for (int row = 1; row <= n + more; row++) {
                boolean isWithin = row <= n && column <= n;
                text.append(row == column || (isWithin && column == n) ? 1 : isWithin && row > column ? -1 : 0)
                        .append('\n');
            }
        }
        Files.writeString(folder.resolve("a.mtx"), text);
        Path file = Files.writeString(folder.resolve("p.yaml"), SOLVE);
        for (int panel : new int[] {1, 7, 60}) {
            ProgramRun run = ProgramRun.of(
                    file,
                    RunMode.SERIAL,
                    1,
                    folder.resolve("out"),
                    "solve.panel=" + panel,
                    "solve.precision=" + precision);
            assertTrue(run.number("solve", "error") <= 1e-15, run.results()::toString);
        }
    }

    @Test
    void aMatrixThatFloatsMakeSingularIsToldSo() throws Exception {
        Path matrix = Files.writeString(
                folder.resolve("k.mtx"),
                "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n1 2 1\n2 1 1\n2 2 1.00000001\n");
        String told = String.valueOf(assertThrows(
                        InputException.class,
                        () -> ProgramRun.example(
                                "refine", RunMode.SERIAL, 1, folder.resolve("out"), "matrix.file=" + matrix))
                .getMessage());
        assertEquals(
                "component 'factor': the 2 x 2 matrix of 4 entries cannot be factored in single precision: the matrix is"
                        + " singular: pivot 2 of 2 is zero; expected one that is regular when its entries are floats, or"
                        + " factors in double: 'factor.precision=double'",
                told);
        ProgramRun run = ProgramRun.example(
                "refine", RunMode.SERIAL, 1, folder.resolve("out"), "matrix.file=" + matrix, "factor.precision=double");
        assertTrue(run.number("check", "error") <= 1e-15, run.results()::toString);
    }

    /** Rounding leaves a pivot that is small and not zero; the matrix has 6,833 rows, which takes long. */
    @Test
    @EnabledIfSystemProperty(named = "jacquard.stress", matches = "true")
    void aMatrixThatIsSingularButForRoundingIsRefused() {
        Path matrix = TestData.find("matrices/rajat01.mtx");
        String told = String.valueOf(assertThrows(
                        InputException.class,
                        () -> ProgramRun.example(
                                "refine",
                                RunMode.SERIAL,
                                1,
                                folder.resolve("out"),
                                "matrix.file=" + matrix,
                                "factor.precision=double"))
                .getMessage());
        assertTrue(told.contains("cannot be factored: the matrix is singular: pivot "), told);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bcsstk13", "west0479", "watt_2"})
    void badlyConditionedMatricesHaveFactorsByGauss(String name) throws Exception {
        for (String precision : new String[] {"float", "double"}) {
            ProgramRun run = ProgramRun.example(
                    "refine",
                    RunMode.PARALLEL,
                    2,
                    folder.resolve("out"),
                    "matrix.file=" + TestData.find("matrices/" + name + ".mtx"),
                    "factor.method=lu",
                    "factor.precision=" + precision);
            assertTrue(run.number("check", "passes") <= 8, run.results()::toString);
        }
    }

    @Test
    void aMissingFileIsToldBeforeAnythingRuns() throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), SOLVE);
        String told = String.valueOf(
                assertThrows(InputException.class, () -> ProgramRun.of(file, RunMode.SERIAL, 1, folder.resolve("out")))
                        .getMessage());
        assertTrue(told.startsWith("'file': there is no file 'a.mtx'"), told);
    }

    @Test
    void matricesThatAreNotPositiveDefiniteAreRefusedOnAllRanks() throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), SOLVE.replace("solve-linear", "solve-linear-ranks"));
        for (String entries : new String[] {
            "2 2 3\n1 1 1\n2 2 2\n1 2 3\n", // not symmetric
            "2 2 4\n1 1 1\n2 2 2\n1 2 3\n2 1 3\n", // the determinant is -7
            "2 2 2\n1 1 1\n2 2 -1\n"
        }) {
            Files.writeString(folder.resolve("a.mtx"), "%%MatrixMarket matrix coordinate real general\n" + entries);
            Exception error = assertThrows(
                    InputException.class,
                    () -> ProgramRun.ofRanks(file, RunMode.DATA_PARALLEL, 2, folder.resolve("out")));
            String message = String.valueOf(error.getMessage());
            assertTrue(message.matches("rank [01]: component 'solve': .*symmetric.*"), message); // the first of both
        }
    }
}
