package dev.jacquard.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.RunMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The examples: results and files are the same to the bit, serially and in parallel, with one worker and two. Those of
 * an application alone run as the one component of a program, with fewer cells and steps.
 * {@code -Djacquard.examples=100} runs each a hundred times in each way; {@code -Djacquard.examples.whole=true} with
 * all cells and steps.
 */
class ExamplesInAllModesTest {
    private static final int ROUNDS = Integer.getInteger("jacquard.examples", 1);
    private static final boolean WHOLE = Boolean.getBoolean("jacquard.examples.whole");
    private static final Path EXAMPLES = Path.of("../examples").toAbsolutePath().normalize();
    /** The pictures that show times. */
    private static final Set<String> TIMES = Set.of("profile.svg", "graph.svg");
    /** What is a time, or follows from times, workers or the folder. */
    private static final Set<String> UNSTEADY = Set.of(
            "seconds",
            "ns_per_point_step",
            "gb_per_s",
            "triad_gb_per_s",
            "threads",
            "workers",
            "folder",
            "transforms",
            "peakLiveTransforms",
            "peakResidentBytes",
            "peakBytes");
    /** The settings of small runs. */
    private static final Map<String, List<String>> SMALL = Map.of(
            "heat", List.of("grid.cells=20x18x16", "time.steps=12", "order=false"),
            "transport", List.of("grid.cells=8x8x8", "time.steps=5"),
            "pde", List.of("grid.cells=12x10x14", "time.end=0.05"),
            "gray-scott", List.of("grid.cells=64x64", "grid.lengths=64x64", "time.end=60"),
            "make-plate", List.of("plate.rows=2", "plate.columns=3", "tile.width=128", "tile.height=128"));
    /** Those that measure times: nothing else is among their results. */
    private static final Set<String> STUDIES = Set.of("study-threads", "study-devices");

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "loops",
                "refine",
                "bratu",
                "plate-check",
                "walks",
                "heat",
                "transport",
                "pde",
                "gray-scott",
                "make-plate",
                "stitching",
                "resource-register",
                "solve-ranks"
            })
    void doTheSame(String name) throws Exception {
        ProgramRun first = run(name, RunMode.SERIAL, 1, folder.resolve("first"));
        for (int round = 0; round < ROUNDS; round++) {
            for (RunMode mode : new RunMode[] {RunMode.SERIAL, RunMode.PARALLEL}) {
                for (int workers = 1; workers <= 2; workers++) {
                    ProgramRun run = run(name, mode, workers, folder.resolve("again"));
                    String what = name + ", " + mode + ", " + workers + " workers, round " + round;
                    assertEquals(steady(first.results()), steady(run.results()), what);
                    assertEquals(first.digests(TIMES), run.digests(TIMES), what);
                }
            }
        }
    }

    private ProgramRun run(String name, RunMode mode, int workers, Path out) throws Exception {
        Path file = EXAMPLES.resolve(name + ".yaml");
        String text = Files.readString(file);
        List<String> overrides = new ArrayList<>();
        if (!text.contains("\ncomponents:")) {
            file = Files.writeString(folder.resolve("alone.yaml"), "components:\n  a:\n" + text.indent(4));
            if (!WHOLE) {
                SMALL.getOrDefault(name, List.of()).forEach(setting -> overrides.add("a." + setting));
            }
            if (name.equals("stitching")) {
                overrides.add("a.tiles.folder=" + EXAMPLES.resolve("data/plate-5x5"));
            }
        }
        return ProgramRun.of(file, mode, workers, out, overrides.toArray(String[]::new));
    }

    /** Returns a value without times, and all that follows from workers or the folder. */
    static @Nullable Object steady(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> all = new TreeMap<>();
                map.forEach((key, its) -> all.put(String.valueOf(key), steady(its)));
                all.keySet().removeAll(UNSTEADY);
                yield all;
            }
            case null, default -> value;
        };
    }

    /** No example is forgotten here. */
    @Test
    void areAllHere() throws Exception {
        Set<String> tried = new TreeSet<>(STUDIES);
        ValueSource source = ExamplesInAllModesTest.class
                .getDeclaredMethod("doTheSame", String.class)
                .getAnnotation(ValueSource.class);
        tried.addAll(List.of(source.strings()));
        assertEquals(new TreeSet<>(examples()), tried);
        assertTrue(SMALL.keySet().stream().allMatch(tried::contains));
    }

    private static List<String> examples() throws IOException {
        try (Stream<Path> all = Files.list(EXAMPLES)) {
            return all.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".yaml"))
                    .map(name -> name.replace(".yaml", ""))
                    .toList();
        }
    }
}
