package dev.jacquard.apps.pde;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.WorkFailedException;
import dev.jacquard.components.run.SingleProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Mistakes in a program are told, with their places, before anything is written. */
class PdeRefusalsTest {
    private static final String GOOD = """
            component: pde
            grid: {cells: 12x10, lengths: 1x1}
            parameters: {kappa: 0.01, lambda: 0.3}
            fields:
              u: {at: faces, x: "1", y: "0"}
              k: {at: cell, value: "1 + x"}
            unknowns:
              c:
                initial: "cos(2*pi*x)"
                rate: "-div(u*faces(c)) + div(kappa*grad(c)) - lambda*c"
                boundaries: {x: periodic, y: "neumann 0"}
            time: {method: ssp3, step: auto, end: 0.1}
            """;

    /** Mistakes that are not seen before there are fields. */
    private static final List<String> TOLD_IN_RUN = List.of("no step", "unstable", "e+300 would be", "not finite");

    @TempDir
    Path folder;

    private PdeRuns runs;

    @BeforeEach
    void open() {
        runs = new PdeRuns(folder.resolve("runs"));
        folder.resolve("runs").toFile().mkdir();
    }

    private InputException refused(String yaml, String... settings) throws Exception {
        return ended(InputException.class, yaml, settings);
    }

    /** Returns the exception with which a run ends that leaves nothing. */
    private <E extends Exception> E ended(Class<E> with, String yaml, String... settings) throws Exception {
        Path file = runs.file(yaml);
        E error = assertThrows(with, () -> runs.run(file, "out", settings));
        try (Stream<Path> files = Files.list(runs.folder())) {
            assertEquals(List.of(file), files.toList(), () -> "something was written: " + error);
        }
        return error;
    }

    @Test
    void theProgramThatIsChangedBelowIsRight() throws Exception {
        runs.run(runs.file(GOOD), "out");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // names
                "lambda*c\" | lamda*c\" | :10:52: 'unknowns.c.rate': there is no field, parameter or number 'lamda'; did you mean 'lambda'?",
                "div(kappa | dvi(kappa | :10:31: 'unknowns.c.rate': there is no function 'dvi'; did you mean 'div'?",
                "rate: | ratee: | :10:5: component 'pde' has no setting 'unknowns.c.ratee'; did you mean 'unknowns.c.rate'?",
                "unknowns: | unknown: | has no setting 'unknown.c.initial'; did you mean 'unknowns.c.initial'?",
                // centrings
                "\"-div(u | \"c + u - div(u | :10:14: 'unknowns.c.rate': '+' joins a value in cells and one on faces",
                "grad(c) | grad(u) | :10:46: 'unknowns.c.rate': 'grad' takes a value in cells, and this one is on faces",
                "div(kappa*grad(c)) | kappa*grad(c) | '+' joins a value in cells and one on faces",
                "- lambda*c\" | - z\" | 'unknowns.c.rate': a grid of 2 dimensions has no z",
                // brackets
                "grad(c)) | grad(c) | :10:34: 'unknowns.c.rate': this '(' is not closed",
                "grad(c)) | grad(c))) | 'unknowns.c.rate': this ')' closes no '('",
                // ghosts
                "div(kappa*grad(c)) | laplacian(laplacian(c)) | :10:12: 'unknowns.c.rate': the rate of 'c' needs 'c' 2 cells beyond the ends of y, and at a wall there is 1 ghost cell",
                "- lambda*c\" | + stencil(c, '0 2 1')\" | needs 'c' 2 cells beyond the ends of y",
                "- lambda*c\" | + stencil(c, '13 0 1')\" | needs 'c' 13 cells beyond the ends of x, and there are at most 12",
                "- lambda*c\" | + stencil(c, '1 0.5')\" | a point of a stencil on 2 dimensions is \"di dj weight\", not \"1 0.5\"",
                "- lambda*c\" | + stencil(c, k)\" | stencil takes its points as a quoted text, such as \"1 0 0.5; -1 0 0.5\"",
                "- lambda*c\" | + stencil(c, '1 0 0 0.5')\" | not \"1 0 0 0.5\"",
                // steps
                "div(kappa*grad(c)) | laplacian(c)/0 | :10:12: 'unknowns.c.rate': no step is stable: \"d/dt c\" has no finite derivative in cell [0, 0, 0]",
                "kappa: 0.01 | kappa: -0.01 | :10:12: 'unknowns.c.rate': no step is stable: \"d/dt c\" lets short waves of \"c\" grow",
                "step: auto | step: 1 | 'time.step' is 1, which is unstable: the longest stable step of ssp3 is 0.1",
                "step: auto | step: 0 | 'time.step' is '0'; expected auto or a number above 0",
                "step: auto | step: 1e-15 | :12:22: 'time.step' is 1e-15: steps of 1.00e-15 to t = 0.1000 would be 1e+14 in number; expected 1e+12 at most",
                "end: 0.1 | end: 1e300 | :12:34: 'time.end' is 1e300: steps of 0.155 to t = 1.000e+300 would be 6e+300 in number; expected 1e+12 at most",
                "kappa: 0.01 | kappa: 0.0, mu: 1 | method",
                // names with two meanings
                "lambda: 0.3 | c: 0.3 | the name 'c' of an unknown is that of a parameter, too",
                "kappa: 0.01 | k: 0.01 | the name 'k' of a given field is that of a parameter, too",
                "c:\\n | k:\\n | the name 'k' of an unknown is that of a given field, too",
                "lambda: 0.3 | sin: 0.3 | the name \"sin\" means something else in expressions already",
                "lambda: 0.3 | dt: 0.3 | the name 'dt' is that of the step",
                "lambda: 0.3 | a-b: 0.3 | \"a-b\" is no name in expressions",
                // given fields
                "\"1 + x\" | \"1 + k\" | :6:25: 'fields.k.value': 'k' needs itself: k → k",
                "\"1 + x\" | \"1 + u\" | 'fields.k.value': the expression has values on faces",
                "\"1 + x\" | \"1/0\" | ok",
                "value: \"1 + x\" | x: \"1 + x\" | 'fields.k.x' does not belong here: a field in cells has a 'value'",
                "x: \"1\", y: \"0\" | x: \"1\" | 'fields.u.y' is missing: a field on faces has a component for each dimension of the grid: x, y",
                "y: \"0\"} | y: \"0\", z: \"0\"} | 'fields.u.z' does not belong here",
                "at: faces | at: face | 'fields.u.at' is 'face'; expected one of cell, faces",
                // unknowns
                "initial: \"cos(2*pi*x)\" | exact: \"0\" | :8:3: 'unknowns.c.initial' is missing; expected an expression",
                "rate: \"-div(u*faces(c)) + div(kappa*grad(c)) - lambda*c\" | exact: \"0\" | 'unknowns.c.rate' is missing",
                "cos(2*pi*x) | log(x - 0.5) | :9:15: 'unknowns.c.initial': the initial value of 'c' is not finite in cell [0, 0, 0]",
                "cos(2*pi*x) | c | :9:15: 'unknowns.c.initial': 'c' is an unknown, which is not known here",
                "\"1 + x\"}\\nunknowns:\\n  c:\\n    initial: \"cos(2*pi*x)\" | \"2*c\"}\\nunknowns:\\n  c:\\n    initial: \"k\" | :9:15: 'unknowns.c.initial': it depends on 'c', by a given field",
                "\"1 + x\"}\\nunknowns:\\n  c: | \"2*c\"}\\nunknowns:\\n  c:\\n    exact: \"k + 1\" | 'unknowns.c.exact': it depends on 'c', by a given field",
                "initial: \"cos(2*pi*x)\" | initial: \"laplacian(laplacian(k))\" | the initial value of 'c' needs 'k' 2 cells beyond the ends of y",
                "initial: \"cos(2*pi*x)\" | initial: \"0\"\\n    exact: \"laplacian(laplacian(k))\" | 'unknowns.c.exact': the solution of 'c' needs 'k' 2 cells beyond the ends of y",
                "initial: \"cos(2*pi*x)\" | initial: \"0\"\\n    exact: \"log(0 - 1)\" | :10:13: 'unknowns.c.exact': the solution at t = 0.1 of 'c' is not finite in cell [0, 0, 0]",
                "initial: \"cos(2*pi*x)\" | initial: \"0\"\\n    exact: \"sqrt(0.05 - t)*k\" | 'unknowns.c.exact': the solution at t = 0.1 of 'c' is not finite in cell",
                "initial: \"cos(2*pi*x)\" | initial: \"0\"\\n    exact: \"1/t\" | ok",
                // walls
                "y: \"neumann 0\" | y-low: \"neumann 0\" | :11:31: 'c' has no condition at y-high; expected 'unknowns.c.boundaries.y-high'",
                "y: \"neumann 0\" | y: \"neuman 0\" | :11:35: 'unknowns.c.boundaries.y': 'neuman 0' is no condition; expected periodic, or dirichlet or neumann with an expression, like 'neumann 0'; did you mean 'neumann'?",
                "y: \"neumann 0\" | y: \"dirichlet\" | 'dirichlet' needs the value at the wall, like 'dirichlet 0'",
                "y: \"neumann 0\" | y: \"dirichlet c\" | 'unknowns.c.boundaries.y': there are no fields here",
                "y: \"neumann 0\" | y: \"dirichlet 2*\" | :11:47: 'unknowns.c.boundaries.y': a value is missing after '*'",
                "y: \"neumann 0\" | y-low: periodic, y-high: \"neumann 0\" | 'c' is periodic at y-low and not at y-high",
                "y: \"neumann 0\" | y: \"neumann 0\", y-low: \"neumann 0\" | 'unknowns.c.boundaries.y-low' is given together with 'unknowns.c.boundaries.y'",
                "y: \"neumann 0\" | y: \"neumann 0\", z: periodic | 'unknowns.c.boundaries.z' is no end of a grid of 2 dimensions",
                // the rest
                "cells: 12x10 | cells: 0x10 | 'grid.cells' is '0x10'; expected one to three numbers of cells",
                "cells: 12x10 | cells: 12x | 'grid.cells' is '12x'; expected one to three numbers of cells",
                "lengths: 1x1 | lengths: 1x1x1 | 'grid.lengths' 1x1x1 has 3 numbers, and 'grid.cells' 12x10 has 2",
                "lengths: 1x1 | lengths: 1x-1 | expected as many lengths above 0 as there are dimensions",
                "end: 0.1 | end: 0 | 'time.end' is '0'; expected a number above 0",
                "end: 0.1 | end: 0x1p3 | 'time.end' is '0x1p3'; expected a number above 0",
                "lambda: 0.3 | lambda: 1d | 'parameters.lambda' is '1d'; expected a number",
                "method: ssp3 | method: rk4 | 'time.method' is 'rk4'; expected one of euler, ssp2, ssp3"
            })
    void whatIsWrongIsTold(String right, String wrong, String message) throws Exception {
        String yaml = GOOD.replace(right.replace("\\n", "\n"), wrong.replace("\\n", "\n"));
        assertEquals(false, yaml.equals(GOOD), right);
        if (message.equals("ok") || message.equals("method")) {
            runs.run(runs.file(yaml), "out", message.equals("ok") ? "workers=1" : "time.method=ssp3");
        } else {
            assertMentions(refused(yaml), message);
            assertEquals(TOLD_IN_RUN.stream().noneMatch(message::contains), isRefusedBeforeTheRun(yaml));
        }
    }

    /** Its files could be named otherwise no more: systems have an end of names. */
    @Test
    void anUnknownWhoseNameIsTooLongForItsFilesIsRefusedBeforeTheRun() throws Exception {
        String longest = "c".repeat(200);
        String yaml = GOOD.replace("  c:", "  " + longest + ":")
                .replace("faces(c)", "faces(" + longest + ")")
                .replace("grad(c)", "grad(" + longest + ")")
                .replace("lambda*c", "lambda*" + longest);
        String longer = yaml.replace(longest, longest + "c");
        assertMentions(refused(longer), "has 201 bytes", "expected 200 at most");
        assertTrue(isRefusedBeforeTheRun(longer));
        runs.run(runs.file(yaml), "out", "output.fields=both");
        assertTrue(Files.exists(runs.folder().resolve("out").resolve(longest + ".vti")));
    }

    private boolean isRefusedBeforeTheRun(String yaml) throws Exception {
        try {
            SingleProgram.load(runs.file(yaml), List.of(), null);
            return false;
        } catch (InputException e) {
            return true;
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "unknowns.c.rate=lamda*c | --set unknowns.c.rate=lamda*c, column 1 of the value: 'unknowns.c.rate': there is",
                "parameters.kapa=1 | did you mean 'kappa'?",
                "tile=3x3x3 | 'tile' is '3x3x3', and the grid has 2 dimensions",
                "devices=cuda17 | 'devices' is 'cuda17'",
                "output.image=w | expected one of x, y, z, none",
                "checkpoint.every=0 | expected none or a whole number of steps from 1 up",
                "time.method=euler | 'unknowns.c.rate': no step of this method is stable",
                "time.method=ssp2 | for convection alone take 'method: ssp3'",
                "grid.cells=999999999x3 | has more than 2^31"
            })
    void overridesAreCheckedAlike(String setting, String message) throws Exception {
        assertMentions(refused(GOOD.replace("kappa: 0.01, lambda: 0.3", "kappa: 0, lambda: 0"), setting), message);
    }

    @Test
    void aTileOfOtherDimensionsIsRefusedBeforeTheRun() throws Exception {
        Path file = runs.file(GOOD);
        assertMentions(
                assertThrows(InputException.class, () -> SingleProgram.load(file, List.of("tile=3x3x3"), null)),
                "'tile' is '3x3x3', and the grid has 2 dimensions");
    }

    @Test
    void circlesAreShown() throws Exception {
        String yaml = GOOD.replace("value: \"1 + x\"", "value: \"m\"")
                .replace("unknowns:", "  m: {at: cell, value: \"2*n\"}\n  n: {at: cell, value: \"k + 1\"}\nunknowns:");
        assertMentions(refused(yaml), "'k' needs itself: k → m → n → k");
    }

    @Test
    void unknownsArePeriodicTogether() throws Exception {
        String yaml = GOOD.replace(
                "time:", "  d: {initial: 0, rate: c, boundaries: {x: \"neumann 0\", y: \"neumann 0\"}}\ntime:");
        assertMentions(refused(yaml), "along x 'c' is periodic and 'd' is not");
    }

    @Test
    void programsWithoutUnknownsAreRefused() throws Exception {
        assertMentions(
                refused("component: pde\ngrid: {cells: 8}\ntime: {end: 1}\n"), "the program has no unknown; expected");
    }

    /** Mistakes that show only on the way are told with the place, and nothing is left. */
    @Test
    void whatEndsToBeFiniteIsTold() throws Exception {
        assertMentions(
                ended(WorkFailedException.class, withRate("1/(0.05 - t) + 0*c")),
                "'c' is not finite in cell [0, 0, 0] after step 100: its rate, at",
                "program.yaml:10:5");
        assertMentions(
                ended(WorkFailedException.class, withRate("log(0.05 - t)*c").replace("step: 0.001", "step: auto")),
                "advance by no step from t = 0.0499",
                "however short: a rate has no value there",
                "program.yaml:10:5");
    }

    private static String withRate(String rate) {
        return GOOD.replace("-div(u*faces(c)) + div(kappa*grad(c)) - lambda*c", rate)
                .replace("step: auto", "step: 0.001");
    }
}
