package dev.jacquard.apps.pde;

import static dev.jacquard.apps.pde.PdeRuns.member;
import static dev.jacquard.apps.pde.PdeRuns.number;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that are too long, and what a program says about them. */
class PdeStabilityTest {
    /** Waves on a string of two parts. */
    private static final String LAYERED = """
        component: pde
        grid: {cells: 100}
        fields: {c2: {at: faces, x: "where(x < 0.5, 1, 4)"}}
        unknowns:
          u: {initial: "exp(-(x-0.25)^2*400)", rate: "v", boundaries: {x: "dirichlet 0"}}
          v: {initial: "0", rate: "div(c2*grad(u))"}
        time: {end: 0.2}
        output: {fields: none, image: none}
        """;

    private static final String HEAT = """
        component: pde
        grid: {cells: 16, lengths: 16}
        unknowns:
          c: {initial: "1 + sin(pi*x/8)", rate: "laplacian(c^2)", boundaries: {x: periodic}}
        time: {method: euler, step: 0.1, end: 0.5}
        output: {fields: none, image: none}
        """;

    @TempDir
    Path folder;

    private PdeRuns runs;

    @BeforeEach
    void open() {
        runs = new PdeRuns(folder);
    }

    private static List<?> warnings(Report report) {
        return (List<?>) member(report, "warnings");
    }

    /** Fields that drive each other through a coefficient that jumps, with a field that has no part in it, too. */
    @Test
    void wavesInLayersHaveAStep() throws Exception {
        double longest = Math.sqrt(3) / (2 * 2 * 100);
        Report report = runs.run(runs.file(LAYERED), "out");
        double found = number(report, "stableStep");
        assertTrue(found <= longest * 1.001 && found > 0.9 * longest, () -> "step " + found);
        assertTrue(number(report, "unknowns", "u", "max") < 1, report::toString);
        Path more = runs.file(LAYERED.replace("time:", "  w: {initial: \"1\", rate: \"-w\"}\ntime:"));
        double other = number(runs.run(more, "more"), "stableStep");
        assertTrue(other <= longest * 1.001 && other > 0.9 * longest, () -> "step " + other);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.005", "1e18"})
    void aNumberThatIsTooLongIsRefused(String step) throws Exception {
        assertMentions(
                assertThrows(InputException.class, () -> runs.run(runs.file(LAYERED), "out", "time.step=" + step)),
                "'time.step' is " + step + ", which is unstable: the longest stable step of ssp3 is 0.004",
                "'time.stability: warn' runs it as it is");
    }

    @Test
    void aProgramMayInsist() throws Exception {
        Path file = runs.file(LAYERED);
        Report warned = runs.run(file, "warned", "time.step=0.005", "time.stability=warn");
        assertEquals(1, warnings(warned).size());
        assertMentions(
                new IllegalStateException(String.valueOf(warnings(warned).getFirst())),
                "'time.step' is 0.005, which is unstable");
        Report off = runs.run(file, "off", "time.step=0.005", "time.stability=off");
        assertEquals(List.of(), warnings(off));
        assertTrue(Double.isNaN(number(off, "stableStep")));
        assertEquals(40, number(off, "steps"));
        Report byErrors = runs.run(file, "auto", "time.stability=off");
        assertEquals(List.of(), warnings(byErrors));
        assertFalse(Double.isFinite(number(byErrors, "stableStep")));
        assertEquals(0.2, number(byErrors, "time"));
    }

    /** A root has no finite derivative where its argument is 0. */
    @Test
    void anInfiniteDerivativeIsAWarningIfTheStepIsGiven() throws Exception {
        Path file = runs.file("""
                component: pde
                grid: {cells: 50}
                unknowns:
                  c: {initial: "where(x < 0.5, 1, 0)", rate: "0.01*laplacian(c) + sqrt(c)", boundaries: {x: "neumann 0"}}
                time: {step: 1e-3, end: 0.1}
                """);
        Report report = runs.run(file, "out");
        assertEquals(1, warnings(report).size());
        assertMentions(
                new IllegalStateException(String.valueOf(warnings(report).getFirst())),
                "has no finite derivative in cell [25, 0, 0]",
                "the run goes on, as 'time.step' is a number");
        assertMentions(
                assertThrows(InputException.class, () -> runs.run(file, "auto", "time.step=auto")),
                "has no finite derivative in cell [25, 0, 0]",
                "'time.stability: warn' chooses steps by their errors alone");
    }

    /** Euler's method lets waves grow that do not decay, however short the steps. */
    @Test
    void wavesThatNoStepSuitsMayBeRun() throws Exception {
        Path file = runs.file(LAYERED.replace("{end: 0.2}", "{method: euler, end: 0.01, step: 0.0001}"));
        assertMentions(
                assertThrows(InputException.class, () -> runs.run(file, "out")),
                "no step of this method is stable",
                "swing without decay",
                "'time.stability: warn' runs it as it is");
        Report report = runs.run(file, "warned", "time.stability=warn");
        assertEquals(1, warnings(report).size());
        assertMentions(
                new IllegalStateException(String.valueOf(warnings(report).getFirst())),
                "the run goes on, as 'time.step' is a number");
        assertEquals(100, number(report, "steps"));
    }

    /** The diffusivity grows with the field, which a source lets grow: the steps are stable at the start alone. */
    @Test
    void stepsThatBecomeTooLongAreWarnedOf() throws Exception {
        String rate = "laplacian(c^2) + 0.02";
        Path file = runs.file(HEAT.replace("laplacian(c^2)", rate));
        Report report = runs.run(file, "out", "time.end=20.5");
        assertEquals(List.of(), warnings(report));
        Report longer = runs.run(file, "longer", "time.end=100");
        assertEquals(1, warnings(longer).size());
        assertMentions(
                new IllegalStateException(String.valueOf(warnings(longer).getFirst())),
                "'time.step' is 0.1, which is unstable from about t = ",
                "the longest stable step is",
                "in cell [");
        String time = text(warnings(longer).getFirst(), "from about (t = [\\d.]+) on");
        String step = text(warnings(longer).getFirst(), "longest stable step is ([\\d.]+),");
        assertMentions(
                new IllegalStateException(longer.lines().getFirst()),
                " are stable at t = 0; steps up to " + step + " are stable at " + time);
        assertEquals(List.of(), warnings(runs.run(file, "off", "time.end=100", "time.stability=off")));
    }

    private static String text(Object message, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(String.valueOf(message));
        assertTrue(matcher.find(), () -> message + " has no " + pattern);
        return matcher.group(1);
    }

    /** Some parts of the pattern swing slowly, and grow: long steps follow them. */
    @ParameterizedTest
    @ValueSource(strings = {"1", "0.5"})
    void slowSwingsThatGrowAreNoMatter(String step) throws Exception {
        Report report = runs.run(
                Path.of("../examples/gray-scott.yaml"),
                "out",
                "parameters.feed=0.025",
                "parameters.kill=0.055",
                "grid.cells=96x96",
                "grid.lengths=96x96",
                "output.fields=none",
                "output.image=none",
                "time.step=" + step,
                "time.end=3200");
        assertEquals(List.of(), warnings(report));
        double stable = number(report, "stableStep");
        assertTrue(stable > Double.parseDouble(step) && stable < 1.5, () -> "step " + stable);
        assertEquals(0, number(report, "stableAt"));
        assertMentions(
                new IllegalStateException(report.lines().getFirst()),
                String.format(Locale.ROOT, "; steps up to %.4g are stable at t = 0", stable));
    }

    /** A velocity that differs in each cell: no step of these methods keeps the waves from growing. */
    @ParameterizedTest
    @ValueSource(strings = {"euler", "ssp2"})
    void convectionThroughRoughFlowsIsRefused(String method) throws Exception {
        Path file = runs.file("""
            component: pde
            grid: {cells: 16, lengths: 16}
            fields: {q: {at: faces, x: "0.55 + 0.45*sin(37*x^2 + 5*x)"}}
            unknowns:
              b: {initial: "sin(x)", rate: "div(q*faces(b))", boundaries: {x: periodic}}
            time: {method: ssp3, share: 1, end: 1}
            output: {fields: none, image: none}
            """);
        runs.run(file, "out");
        assertMentions(
                assertThrows(InputException.class, () -> runs.run(file, method, "time.method=" + method)),
                "no step of this method is stable");
    }
}
