package dev.jacquard.apps.pde;

import static dev.jacquard.apps.pde.PdeRuns.member;
import static dev.jacquard.apps.pde.PdeRuns.number;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models whose solutions grow, or seem to, and what is told of them. */
class PdeGrowthTest {
    @TempDir
    Path folder;

    private PdeRuns runs;

    @BeforeEach
    void open() {
        runs = new PdeRuns(folder);
    }

    private static String model(String lengths, String rate, String time) {
        return """
            component: pde
            grid: {cells: 16, lengths: %s}
            unknowns:
              c: {initial: "sin(2*pi*x/%s)", rate: "%s", boundaries: {x: periodic}}
            time: {%s}
            checkpoint: {every: 1}
            """.formatted(lengths, lengths, rate, time);
    }

    /** Waves of some five cells grow, and the shortest, of two, decay, though not by far. */
    private static String pattern(String time) {
        return model("20.16", "0.9*c - (c + 2*laplacian(c) + laplacian(laplacian(c)))", time);
    }

    @Test
    void aStepOfTheUsersIsTaken() throws Exception {
        Report report = runs.run(runs.file(pattern("end: 0.1, step: 0.01")), "out");
        List<?> warnings = (List<?>) member(report, "warnings");
        assertEquals(1, warnings.size());
        assertMentions(
                new IllegalStateException(String.valueOf(warnings.getFirst())),
                "program.yaml:4:",
                "'unknowns.c.rate': no step is stable: \"d/dt c\" lets short waves of \"c\" grow in cell [0, 0, 0]",
                "others faster than the shortest",
                "the run goes on, as 'time.step' is a number");
        assertTrue(Double.isNaN(number(report, "stableStep")));
        assertTrue(report.lines().getFirst().contains("no step is known to be stable"), () -> report.toString());
        assertEquals(10, number(report, "steps"));
        assertThrows(InputException.class, () -> runs.run(runs.file(pattern("end: 0.1")), "auto"));
    }

    /** It was said at the start, and the look after a rejected step says the same. */
    @Test
    void automaticStepsWithoutAStableOneAreWarnedOfOnce() throws Exception {
        String waves = model("1", "-dx(c)", "end: 0.3, method: euler, stability: warn");
        Report report = runs.run(runs.file(waves), "out");
        List<?> warnings = (List<?>) member(report, "warnings");
        assertEquals(1, warnings.size(), () -> warnings.toString());
        assertMentions(
                new IllegalStateException(String.valueOf(warnings.getFirst())),
                "for convection alone take 'method: ssp3'",
                "with steps chosen by their errors alone");
    }

    /** Warnings that come later in a run have the words of program files, too. */
    @Test
    void automaticStepsWithoutAStableOneLaterAreWarnedOf() throws Exception {
        String waves = model("1", "-dx(c) + max(0.5 - 10*t, 0)*laplacian(c)", "end: 0.5, method: euler");
        List<?> warnings = (List<?>) member(runs.run(runs.file(waves), "out"), "warnings");
        assertEquals(1, warnings.size(), () -> warnings.toString());
        assertMentions(
                new IllegalStateException(String.valueOf(warnings.getFirst())),
                "from t = 0.",
                "for convection alone take 'method: ssp3'",
                "('time.method' is euler)");
    }

    @Test
    void whatGrowsTheFasterTheShorterIsRefused() throws Exception {
        String model = model("1", "(t - 0.15)*laplacian(c)", "end: 0.1, step: 0.001");
        assertMentions(
                assertThrows(InputException.class, () -> runs.run(runs.file(model), "out")),
                "as a negative diffusivity does",
                "'time.stability: warn' runs it as it is");
    }

    /** A step that is a number is stable at the start; what is seen later is told. */
    @Test
    void whatGrowsLaterIsWarnedOf() throws Exception {
        String model = model("1", "(0.15 - t)*laplacian(c)", "end: 0.1, step: 0.001");
        runs.run(runs.file(model), "out");
        Path file = runs.file(model.replace("end: 0.1", "end: 0.21"));
        Report report = runs.run(file, "out", true, Progress.NONE, new Cancellation());
        List<?> warnings = (List<?>) member(report, "warnings");
        assertEquals(1, warnings.size());
        assertMentions(
                new IllegalStateException(String.valueOf(warnings.getFirst())),
                "unstable from about t = 0.2020 on, step 202",
                "as a negative diffusivity does");
    }

    /** Phases that separate: waves of some cells grow, and the shortest decay. */
    @Test
    void phasesSeparate() throws Exception {
        Path file = runs.file("""
            component: pde
            grid: {cells: 24x24, lengths: 24x24}
            unknowns:
              c:
                initial: "0.1*sin(3*x)*cos(2*y)"
                rate: "laplacian(c^3 - c - 0.5*laplacian(c))"
                boundaries: {x: periodic, y: periodic}
            time: {method: ssp3, end: 20, step: 0.04}
            """);
        Report report = runs.run(file, "out");
        assertEquals(List.of(), member(report, "warnings"));
        double fastest = 64 * 0.5 - 8 * 0.97; // of the shortest waves, where c² is 0.01 at most
        double found = number(report, "stableStep"); // at most: a search for a given step ends early
        assertTrue(found >= 0.04 && found <= 2.5127 / fastest, found + "");
        assertTrue(number(report, "unknowns", "c", "max") < 1.2);
        assertFalse(number(report, "unknowns", "c", "max") < 0.2);
    }
}
