package dev.jacquard.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.components.component.Mode;
import dev.jacquard.testkit.Rounds;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of several components: results and files are the same to the bit in each mode. */
class ComposedExamplesTest {
    /** The pictures that show times. */
    private static final Set<String> TIMES = Set.of("profile.svg", "graph.svg");

    @ParameterizedTest
    @ValueSource(strings = {"refine", "bratu", "plate-check", "walks"})
    void allModesDoTheSame(String name, @TempDir Path folder) throws Exception {
        ProgramRun first = ProgramRun.example(name, Mode.SERIAL, 1, folder.resolve("first"));
        for (int round = 0; round < Rounds.some(6); round++) {
            for (Mode mode : new Mode[] {Mode.SERIAL, Mode.PARALLEL}) {
                for (int workers = 1; workers <= 2; workers++) {
                    ProgramRun run = ProgramRun.example(name, mode, workers, folder.resolve("again"));
                    String what = name + ", " + mode + ", " + workers + " workers, round " + round;
                    assertEquals(steady(first.results()), steady(run.results()), what);
                    assertEquals(files(first), files(run), what);
                }
            }
        }
    }

    /** The report of make-plate names the folder, that of stitching has times. */
    private static Map<String, Object> steady(Map<String, Object> results) {
        Map<String, Object> all = new HashMap<>(results);
        all.remove("plate");
        all.remove("stitch");
        return all;
    }

    private static Map<String, String> files(ProgramRun run) throws Exception {
        Map<String, String> files = run.digests();
        files.keySet().removeAll(TIMES);
        return files;
    }
}
