package dev.jacquard.apps.pde;

import static dev.jacquard.apps.pde.PdeRuns.member;
import static dev.jacquard.apps.pde.PdeRuns.number;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Equations as text: what they compute, by which ways, and what is written. */
class PdeTest {
    @TempDir
    Path folder;

    private PdeRuns runs;

    @BeforeEach
    void open() {
        runs = new PdeRuns(folder);
    }

    @ParameterizedTest
    @CsvSource({"euler, 1", "ssp2, 2", "ssp3, 3"})
    void twoUnknownsAreThoseOfPlainLoops(String method, int stages) throws Exception {
        Report report = runs.run(runs.file(TwoUnknowns.PROGRAM), "out", "time.method=" + method);
        double[][] expected = TwoUnknowns.solve(stages);
        assertArrayEquals(expected[0], runs.values("out", "c"), 1e-12);
        assertArrayEquals(expected[1], runs.values("out", "d"), 1e-12);
        assertEquals(15, number(report, "steps"));
        assertEquals(0.1, number(report, "time"));
        assertEquals(7e-3, number(report, "step"));
        double sum = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (double value : expected[0]) {
            sum += value * 1.5 * 0.9 / 108;
            most = Math.max(most, value);
        }
        assertEquals(sum, number(report, "unknowns", "c", "integral", "end"), 1e-12);
        assertEquals(most, number(report, "unknowns", "c", "max"), 1e-12);
    }

    /** The guide's example: the guide shows it as it is, and it makes the patterns' symmetric beginning. */
    @Test
    void theGuidesExampleRuns() throws Exception {
        Path example = Path.of("../examples/gray-scott.yaml");
        String page = Files.readString(Path.of("../docs/guide/in-a-file.md"));
        assertTrue(Files.readString(example).contains(page.split("```(yaml)?\n", 3)[1]));
        Report report = runs.run(example, "out", "time.end=40");
        assertEquals(40, number(report, "steps"));
        assertTrue(number(report, "unknowns", "v", "max") < 1 && number(report, "unknowns", "v", "min") >= 0);
        double[] v = runs.values("out", "v");
        for (int y = 0; y < 128; y++) {
            for (int x = 0; x < 64; x++) {
                assertEquals(v[128 * y + x], v[128 * y + 127 - x], 1e-12, "at " + x + ", " + y);
            }
        }
    }

    @Test
    void singlePrecisionIsNear() throws Exception {
        runs.run(runs.file(TwoUnknowns.PROGRAM), "out", "grid.type=float32");
        double[][] expected = TwoUnknowns.solve(3);
        assertArrayEquals(expected[0], runs.values("out", "c"), 2e-5);
        assertArrayEquals(expected[1], runs.values("out", "d"), 2e-5);
        assertEquals(12 * 9 * 4, runs.bytes("out", "c.npy").length - 128);
    }

    private static final String LINE = """
        component: pde
        grid: {cells: 32}
        parameters: {kappa: 0.02}
        unknowns:
          c:
            initial: "sin(2*pi*x)"
            rate: "-dx(c) + kappa*laplacian(c)"
            exact: "exp(-4*pi^2*kappa*t)*sin(2*pi*(x - t))"
            boundaries: {x: periodic}
        time: {share: 0.5, end: 0.2}
        output: {fields: none, image: none}
        """;

    private static final String WALLS = """
        component: pde
        grid: {cells: 16x16, lengths: 1x2}
        fields: {k: {at: cell, value: "1 + 0.5*x*y"}}
        unknowns:
          T:
            initial: "x*x + sin(y)"
            rate: "div(faces(k)*grad(T)) + exp(-t)*(0 - x*x) - (2*exp(-t)*(1 + x*y) + 0.5*x*cos(y) - (1 + 0.5*x*y)*sin(y))"
            exact: "x*x*exp(-t) + sin(y)"
            boundaries:
              x-low: "neumann 0"
              x-high: "dirichlet exp(-t) + sin(y)"
              y-low: "neumann -1"
              y-high: "dirichlet x*x*exp(-t) + sin(2)"
        time: {share: 0.5, end: 0.1}
        output: {fields: none, image: none}
        """;

    private static final String BOX = """
        component: pde
        grid: {cells: 8x8x8, lengths: 1x1x1}
        fields: {u: {at: faces, x: "1", y: "cos(t)", z: "0"}}
        unknowns:
          c:
            initial: "sin(2*pi*x)*cos(2*pi*y)*cos(pi*z)"
            rate: "-div(u*faces(c)) + 0.05*div(grad(c))"
            exact: "exp(-0.45*pi^2*t)*sin(2*pi*(x - t))*cos(2*pi*(y - sin(t)))*cos(pi*z)"
            boundaries: {x: periodic, y: periodic, z: "neumann 0"}
        time: {share: 0.4, end: 0.1}
        output: {fields: none, image: none}
        """;

    /** Half the spacing has a quarter of the error. */
    @ParameterizedTest
    @ValueSource(strings = {"32 64", "16x16 32x32", "12x12x12 24x24x24"})
    void theOrderIsTwo(String cells) throws Exception {
        String[] both = cells.split(" ", -1);
        int dimensions = both[0].split("x", -1).length;
        Path file = runs.file(List.of(LINE, WALLS, BOX).get(dimensions - 1));
        String name = dimensions == 2 ? "T" : "c";
        double coarse = number(runs.run(file, "a", "grid.cells=" + both[0]), "unknowns", name, "error", "l2");
        double fine = number(runs.run(file, "b", "grid.cells=" + both[1]), "unknowns", name, "error", "l2");
        assertTrue(coarse < 0.1, () -> "error " + coarse);
        assertEquals(2, Math.log(coarse / fine) / Math.log(2), 0.1, () -> coarse + " " + fine);
    }

    @Test
    void theMeanSquareAndTheGreatestErrorAreThoseOfTheSolution() throws Exception {
        Report report = runs.run(runs.file(LINE), "out", "output.fields=npy");
        double[] values = runs.values("out", "c");
        double most = 0;
        double squares = 0;
        for (int i = 0; i < 32; i++) {
            double x = (i + 0.5) / 32;
            double exact = Math.exp(-4 * Math.PI * Math.PI * 0.02 * 0.2) * Math.sin(2 * Math.PI * (x - 0.2));
            most = Math.max(most, Math.abs(values[i] - exact));
            squares += (values[i] - exact) * (values[i] - exact);
        }
        assertEquals(most, number(report, "unknowns", "c", "error", "max"), 1e-14);
        assertEquals(Math.sqrt(squares / 32), number(report, "unknowns", "c", "error", "l2"), 1e-14);
    }

    /** The flow out of the last face is that into the first one, whatever the velocity says there. */
    @Test
    void convectionKeepsTheIntegral() throws Exception {
        Report report = runs.run(runs.file("""
            component: pde
            grid: {cells: 20x10}
            fields: {u: {at: faces, x: "1 + x + t", y: "x*y*(1 - y)"}}
            unknowns:
              c: {initial: "1 + x", rate: "-div(u*faces(c))", boundaries: {x: periodic, y: "neumann 0"}}
            time: {end: 0.1}
            """), "out");
        double start = number(report, "unknowns", "c", "integral", "start");
        assertEquals(1.5, start, 1e-12);
        assertEquals(start, number(report, "unknowns", "c", "integral", "end"), 1e-12);
    }

    /** In a periodic dimension stencils may reach further than one cell. */
    @Test
    void wideStencilsWrapAround() throws Exception {
        runs.run(runs.file("""
            component: pde
            grid: {cells: 7x3, lengths: 7x3}
            unknowns:
              c:
                initial: "where(x < 1, 1, 0)"
                rate: "stencil(c, '-3 0 0.5; 2 0 -0.25; 0 0 -1')"
                boundaries: {x: periodic, y: "neumann 0"}
            time: {method: euler, step: 0.25, end: 0.25}
            """), "out");
        double[] expected = new double[21];
        for (int j = 0; j < 3; j++) {
            for (int i = 0; i < 7; i++) {
                expected[j * 7 + i] = c(i) + 0.25 * (0.5 * c(i - 3) - 0.25 * c(i + 2) - c(i));
            }
        }
        assertArrayEquals(expected, runs.values("out", "c"), 0);
    }

    private static double c(int i) {
        return Math.floorMod(i, 7) == 0 ? 1 : 0;
    }

    /** Given fields may be made of others, and of unknowns. */
    @Test
    void givenFieldsMayBeMadeOfOthers() throws Exception {
        runs.run(runs.file("""
            component: pde
            grid: {cells: 5, lengths: 5}
            fields:
              b: {at: cell, value: "2*a + 0.5*c"}
              a: {at: cell, value: "x"}
            unknowns:
              c: {initial: "a^2", rate: "dx(b) - c", boundaries: {x: "neumann 0"}}
            time: {method: euler, step: 0.5, end: 0.5}
            """), "out");
        double[] c = {0.25, 0.25, 2.25, 6.25, 12.25, 20.25, 20.25}; // with a ghost at both ends
        double[] expected = new double[5];
        for (int i = 0; i < 5; i++) {
            expected[i] = c[i + 1] + 0.5 * (2 + 0.5 * (c[i + 2] - c[i]) / 2 - c[i + 1]);
        }
        assertArrayEquals(expected, runs.values("out", "c"), 1e-14);
    }

    @Test
    void parametersCanBeGivenOnTheCommandLine() throws Exception {
        Path file = runs.file(LINE);
        double error = number(runs.run(file, "a", "parameters.kappa=0.01"), "unknowns", "c", "max");
        assertEquals(Math.exp(-4 * Math.PI * Math.PI * 0.01 * 0.2), error, 0.02);
        runs.run(file, "b", "unknowns.c.rate=1 + 0*c", "unknowns.c.initial=0", "output.fields=npy", "time.step=0.1");
        for (double value : runs.values("b", "c")) {
            assertEquals(0.2, value, 1e-15);
        }
    }

    // ---- steps

    @Test
    void automaticStepsEndAtTheEnd() throws Exception {
        Report report = runs.run(runs.file(LINE), "out", "time.share=0.7", "time.end=1", "time.tolerance=0.01");
        assertEquals(0.7 * number(report, "stableStep"), number(report, "step"), 1e-18);
        assertEquals(1, number(report, "time"));
        assertTrue(number(report, "automatic", "shortest") < number(report, "step"), report::toString);
        // kappa 0.02, h 1/32: |1 - 4 kappa dt/h^2| <= 1 stretched to the region of the third-order method, 2.51
        assertEquals(2.5127 / (4 * 0.02 * 32 * 32), number(report, "stableStep"), 1e-3);
    }

    @Test
    void theStableStepOfEulerHoldsForConvection() throws Exception {
        Report report = runs.run(runs.file(LINE), "out", "time.method=euler", "parameters.kappa=0.001");
        assertEquals(2 * 0.001, number(report, "stableStep"), 4e-5); // of infinitely long waves
    }

    /** A flow around a point, and one past it: the velocities vary, and nothing grows. */
    @Test
    void flowsThatVaryAreStable() throws Exception {
        Report report = runs.run(runs.file("""
            component: pde
            grid: {cells: 24x24}
            fields: {u: {at: faces, x: "sin(2*pi*x)*cos(2*pi*y)", y: "-cos(2*pi*x)*sin(2*pi*y)"}}
            unknowns:
              c: {initial: "1 + sin(2*pi*x)", rate: "-div(u*faces(c))", boundaries: {x: periodic, y: "neumann 0"}}
            time: {end: 0.5}
            """), "out");
        assertEquals(1, number(report, "unknowns", "c", "integral", "end"), 1e-12);
        assertTrue(number(report, "unknowns", "c", "max") < 3, report::toString);
        assertTrue(number(report, "steps") < 50, report::toString);
    }

    /** The wave equation: what one unknown does to the other limits the step as convection does. */
    @Test
    void wavesMayTakeLongSteps() throws Exception {
        Report report = runs.run(runs.file("""
            component: pde
            grid: {cells: 64}
            unknowns:
              u: {initial: "cos(2*pi*x)", rate: "v", exact: "cos(2*pi*x)*cos(2*pi*t)", boundaries: {x: periodic}}
              v: {initial: "0", rate: "laplacian(u)", boundaries: {x: periodic}}
            time: {end: 1}
            """), "out");
        assertEquals(0.95 * Math.sqrt(3) / (2 * 64), number(report, "stableStep"), 0.05 * Math.sqrt(3) / (2 * 64));
        assertTrue(number(report, "unknowns", "u", "error", "max") < 0.02, report::toString);
    }

    /** Gray and Scott's reaction, with a step as long as the first changes allow. */
    @Test
    void reactionsMayBeExplosive() throws Exception {
        Report report = runs.run(runs.file("""
            component: pde
            grid: {cells: 32x32, lengths: 32x32}
            parameters: {F: 0.035, k: 0.065}
            unknowns:
              u:
                initial: "where(max(abs(x - 16), abs(y - 16)) < 4, 0.5, 1)"
                rate: "0.16*laplacian(u) - u*v^2 + F*(1 - u)"
                boundaries: {x: periodic, y: periodic}
              v:
                initial: "where(max(abs(x - 16), abs(y - 16)) < 4, 0.25, 0)"
                rate: "0.08*laplacian(v) + u*v^2 - (F + k)*v"
                boundaries: {x: periodic, y: periodic}
            time: {method: euler, step: 1, end: 200}
            """), "out");
        assertEquals(200, number(report, "steps"));
        assertTrue(number(report, "unknowns", "v", "max") > 0.2, report::toString);
        assertTrue(number(report, "unknowns", "u", "max") <= 1 + 1e-12, report::toString);
    }

    // ---- ways and files

    static Stream<List<String>> ways() {
        return Stream.of(
                List.of("workers=2", "loops=plain"),
                List.of("workers=2", "loops=lanes", "fuse=false"),
                List.of("workers=1", "loops=lanes", "fields-policy=static", "fuse=false", "tile=5x2"),
                List.of("workers=2", "loops=auto", "fields-policy=keep", "tile=1x1"),
                List.of("workers=2", "loops=plain", "tile=3x4"),
                List.of("workers=2", "tile=100x1"),
                List.of("workers=2", "loops=interpreter", "tile=9x9"),
                List.of("workers=2", "fuse=false", "scheduler=priority"),
                List.of("workers=2", "fuse=false", "scheduler=topological"),
                List.of("workers=2", "fuse=false", "scheduler=counted-newest"),
                List.of("workers=2", "devices=emulated0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"float64", "float32"})
    void theWaySaysNothingToTheResult(String type) throws Exception {
        Path file = runs.file(TwoUnknowns.PROGRAM);
        String[] first = {"grid.type=" + type, "workers=1", "loops=interpreter", "output.fields=both", "output.image=z"
        };
        runs.run(file, "first", first);
        int number = 0;
        for (List<String> way : ways().toList()) {
            String out = "way" + number++;
            List<String> all = new java.util.ArrayList<>(List.of(first));
            all.addAll(way);
            runs.run(file, out, all.toArray(String[]::new));
            for (String name : List.of("c.npy", "d.npy", "c.vti", "d.vti", "c.png", "d.png")) {
                assertArrayEquals(runs.bytes("first", name), runs.bytes(out, name), () -> way + " " + name);
            }
        }
    }

    @Test
    void theReportHasTheMembersThatTheDocumentationLists() throws Exception {
        Report report = runs.run(runs.file(TwoUnknowns.PROGRAM), "out", "workers=2", "unknowns.c.exact=1");
        assertEquals(
                List.of(
                        "steps",
                        "resumed",
                        "time",
                        "step",
                        "stableStep",
                        "stableAt",
                        "warnings",
                        "unknowns",
                        "ns_per_point_step",
                        "loops",
                        "loopClasses",
                        "blocks",
                        "fields",
                        "threads",
                        "scheduler",
                        "seconds"),
                List.copyOf(report.values().keySet()));
        assertEquals(List.of("error", "integral", "min", "max"), keys(report, "unknowns", "c"));
        assertEquals(List.of("integral", "min", "max"), keys(report, "unknowns", "d"));
        assertEquals(List.of("planned", "static", "peakBytes", "staticBytes"), keys(report, "fields"));
        assertEquals(number(report, "fields", "planned"), number(report, "fields", "peakBytes"));
        assertEquals(List.of("tasks", "operators"), keys(report, "threads"));
        assertEquals(2, number(report, "threads", "tasks") * number(report, "threads", "operators"));
        assertEquals(0, number(report, "resumed"));
        assertTrue(number(report, "loopClasses") >= 1);
        assertTrue(number(report, "loops") >= 6, report::toString);
    }

    private static List<Object> keys(Report report, String... keys) {
        return List.copyOf(((Map<?, ?>) member(report, keys)).keySet());
    }

    @Test
    void theFilesAreThoseThatAreAskedFor() throws Exception {
        Path file = runs.file(TwoUnknowns.PROGRAM);
        runs.run(file, "some", "output.fields=vti", "output.image=y");
        assertEquals(List.of("c.png", "c.vti", "d.png", "d.vti", "graph.svg", "trace.json"), names("some"));
        runs.run(file, "none", "output.fields=none");
        assertEquals(List.of("graph.svg", "trace.json"), names("none"));
        assertTrue(Files.readString(folder.resolve("none/graph.svg")).contains("boundaries of c"));
        String array = new String(runs.bytes("some", "c.vti"), java.nio.charset.StandardCharsets.ISO_8859_1);
        assertTrue(array.contains("WholeExtent=\"0 12 0 9 0 "), () -> array.substring(0, 300));
    }

    private List<String> names(String out) throws Exception {
        try (Stream<Path> files = Files.list(folder.resolve(out))) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void theExampleIsNearItsSolution() throws Exception {
        Report report = runs.run(Path.of("../examples/pde.yaml"), "out", "grid.cells=24x8x8");
        assertTrue(number(report, "unknowns", "c", "error", "max") < 0.02, report::toString);
    }
}
