package dev.jacquard.apps.known;

import static dev.jacquard.apps.known.KnownRuns.number;
import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.insight.analysis.GraphAnalysis.ThreadSplit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The study of task and operator threads, on tiny grids: what it writes, not what it measures. */
class ThreadStudyTest {
    private static final Path EXAMPLE = Path.of("../examples/study-threads.yaml");

    @TempDir
    Path folder;

    private Report run(String... settings) throws Exception {
        return new KnownRuns(EXAMPLE, folder).run("out", settings);
    }

    @Test
    void eachMixtureHasARowAndEachProblemTwoCharts() throws Exception {
        Report report = run("grid.cells=8x8x8", "equations=2", "rounds=2", "millis=0", "workers=3");
        assertEquals(3, number(report, "workers"));
        List<String> rows = Files.readAllLines(folder.resolve("out/threads.csv"));
        assertEquals("problem,tasks,operators,rule,ms_per_step,least,most,to_best", rows.getFirst());
        // 1, 2 and 3 of each, but not 3 x 3, and what the rule takes
        assertEquals(1 + 3 * (8 + 1), rows.size(), () -> String.join("\n", rows));
        assertEquals(3, rows.stream().filter(row -> row.contains(",true,")).count());
        for (String problem : List.of("heat", "transport", "transport-coupled")) {
            String chart = Files.readString(folder.resolve("out/" + problem + "-by-operators.svg"));
            assertTrue(chart.contains("time of a step (ms)") && chart.contains("2 tasks at a time"), chart);
            assertEquals(9, chart.split("<circle", -1).length - 1);
            assertTrue(Files.readString(folder.resolve("out/" + problem + "-by-tasks.svg"))
                    .contains("1 worker for a loop"));
        }
        List<?> problems = (List<?>) Objects.requireNonNull(report.values().get("problems"));
        Map<?, ?> first = (Map<?, ?>) problems.getFirst();
        assertEquals("heat", first.get("problem"));
        assertEquals(9, ((List<?>) Objects.requireNonNull(first.get("mixtures"))).size());
        assertTrue(report.toJson().contains("\"rule_to_best\""));
        assertTrue(report.lines().getFirst().startsWith("heat: "), report::toString);
    }

    @Test
    void ratiosAreThoseOfTheSameRound() {
        Mixture slow = new Mixture(new ThreadSplit(1, 1), false, new double[] {8, 4, 40});
        Mixture best = new Mixture(new ThreadSplit(2, 1), false, new double[] {4, 2, 20});
        Mixture rule = new Mixture(new ThreadSplit(2, 1), true, new double[] {5, 2.5, 22});
        Map<String, Object> values = new Mixtures("heat", List.of(slow, best, rule)).values();
        assertEquals(1.25, values.get("rule_to_best"));
        Map<?, ?> first = (Map<?, ?>) ((List<?>) Objects.requireNonNull(values.get("mixtures"))).getFirst();
        assertEquals(2.0, first.get("to_best"));
        assertEquals(8.0, first.get("ms_per_step"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"equations=1 | from 2 to 256", "rounds=0 | from 1 to 1000", "grid.cells=5 | two or three numbers"})
    void badSettingsAreRefused(String setting, String message) {
        assertMentions(assertThrows(InputException.class, () -> run(setting)), message);
    }
}
