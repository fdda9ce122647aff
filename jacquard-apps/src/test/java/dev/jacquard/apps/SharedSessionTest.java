package dev.jacquard.apps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.run.Catalog;
import dev.jacquard.components.run.Program;
import dev.jacquard.components.run.Program.Choices;
import dev.jacquard.components.run.Program.Surroundings;
import dev.jacquard.components.run.SingleProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications as parts of a program: they use its session where their settings allow it, and compute the same. */
class SharedSessionTest {
    /** The settings of small runs, by the component; a line each. */
    private static final Map<String, String> SMALL = Map.of(
            "heat", "grid: {cells: 12x10x8}\ntime: {steps: 7}\norder: false\n",
            "transport", "grid: {cells: 8x8x8}\ntime: {steps: 5}\nequations: 2\norder: true\n",
            "study", "study: threads\ngrid: {cells: 8x8x8}\nequations: 2\nrounds: 1\nmillis: 0\n",
            "pde", """
                    grid: {cells: "24"}
                    unknowns: {c: {rate: laplacian(c), initial: sin(2*pi*x), boundaries: {x: periodic}}}
                    time: {end: 0.01}
                    output: {image: none}
                    """);

    private static final Pattern LANE = Pattern.compile("\"tid\":(\\d+),\"name\":\"thread_name\".*\"name\":\"worker");
    private static final Pattern SPAN = Pattern.compile("\"ph\":\"X\",\"pid\":1,\"tid\":(\\d+),");

    @TempDir
    Path folder;

    private static String part(String component, String more) {
        return "    component: " + component + "\n" + (SMALL.get(component) + more).indent(4);
    }

    private Program load(String yaml, RunMode mode) throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), yaml);
        return Program.load(file, new Choices(List.of("workers=2"), null, Catalog.of(List.of()), mode));
    }

    private void run(String yaml, RunMode mode, Path trace) throws Exception {
        Program program = load(yaml, mode);
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            program.run(new Surroundings(out, Progress.NONE, new Cancellation(), false, trace));
            out.commit();
        }
    }

    /** Returns the number of spans of the session's workers. */
    private static long tasks(Path trace) throws Exception {
        String text = Files.readString(trace);
        List<String> workers =
                LANE.matcher(text).results().map(lane -> lane.group(1)).toList();
        assertFalse(workers.isEmpty());
        Matcher spans = SPAN.matcher(text);
        return spans.results().filter(span -> workers.contains(span.group(1))).count();
    }

    private byte[] alone(String component, String result) throws Exception {
        Path file = Files.writeString(
                folder.resolve("alone.yaml"), "component: " + component + "\n" + SMALL.get(component));
        try (OutputFolder out = OutputFolder.open(folder.resolve("alone"))) {
            SingleProgram.load(file, List.of("workers=2"), null)
                    .run(new Surroundings(out, Progress.NONE, new Cancellation(), false));
            out.commit();
        }
        return Files.readAllBytes(folder.resolve("alone").resolve(result));
    }

    @ParameterizedTest
    @ValueSource(strings = {"heat", "transport", "study", "pde"})
    void theProgramsWorkersDoTheTasks(String component) throws Exception {
        Path trace = folder.resolve("trace.json");
        run("components:\n  a:\n" + part(component, ""), RunMode.SERIAL, trace);
        assertTrue(tasks(trace) > 20, component);
        run("components:\n  a:\n" + part(component, "workers: 2\n"), RunMode.PARALLEL, trace);
        assertTrue(tasks(trace) > 20, component);
        run("components:\n  a:\n" + part(component, "workers: 3\n"), RunMode.SERIAL, trace);
        assertEquals(0, tasks(trace), "a number of its own is one of a session of its own");
    }

    /** One after the other, and side by side. */
    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void theResultsAreThoseOfRunsAlone(RunMode mode) throws Exception {
        Path trace = folder.resolve("trace.json");
        run(
                "components:\n  a:\n" + part("heat", "") + "  b:\n" + part("transport", "") + "  c:\n"
                        + part("pde", ""),
                mode,
                trace);
        assertArrayEquals(alone("heat", "T.npy"), Files.readAllBytes(folder.resolve("out/a/T.npy")));
        assertArrayEquals(alone("pde", "c.npy"), Files.readAllBytes(folder.resolve("out/c/c.npy")));
        byte[] first = alone("transport", "phi0.npy");
        assertArrayEquals(first, Files.readAllBytes(folder.resolve("out/b/phi0.npy")));
        assertFalse(Files.exists(folder.resolve("out/a/trace.json")), "the trace is the program's");
    }

    /** A part writes no trace of its own, though the session has one. */
    @Test
    void stitchingIsInTheTraceOfItsProgram() throws Exception {
        Path trace = folder.resolve("trace.json");
        run(Files.readString(Path.of("../examples/plate-check.yaml")), RunMode.PARALLEL, trace);
        assertTrue(Files.readString(trace).contains("\"name\":\"component stitch\""));
        assertTrue(tasks(trace) > 20);
        assertTrue(Files.exists(folder.resolve("out/stitch/mosaic.tif")));
        assertFalse(Files.exists(folder.resolve("out/stitch/trace.json")));
    }

    /** Stopped between two steps, or while one runs: the session ends, with the fields that it still has. */
    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void aCancelledPartLeavesTheSessionInOrder(RunMode mode) throws Exception {
        for (String component : List.of("heat", "pde")) {
            Path file = Files.writeString(folder.resolve("p.yaml"), "components:\n  a:\n" + part(component, ""));
            Program program = Program.load(file, new Choices(List.of("workers=2"), null, Catalog.of(List.of()), mode));
            for (int last = 1; last < 4; last++) {
                Cancellation cancellation = new Cancellation();
                try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
                    Surroundings surroundings =
                            new Surroundings(out, cancellingAfter(last, cancellation), cancellation, false);
                    assertThrows(CancellationException.class, () -> program.run(surroundings));
                }
                assertFalse(Thread.interrupted(), "no interrupt is left behind");
            }
        }
    }

    private static Progress cancellingAfter(int steps, Cancellation cancellation) {
        AtomicInteger left = new AtomicInteger(steps);
        return new Progress() {
            @Override
            public void start(String stage, long ofSteps) {}

            @Override
            public void advance(long more) {
                if (left.decrementAndGet() == 0) {
                    cancellation.cancel();
                }
            }
        };
    }

    @Test
    void equationsKeepNoCheckpointsWithinAProgram() {
        InputException error = assertThrows(
                InputException.class,
                () -> load("components:\n  a:\n" + part("pde", "checkpoint: {every: 5}\n"), RunMode.SERIAL));
        assertTrue(
                String.valueOf(error.getMessage())
                        .contains("'checkpoint.every' is of a run alone; the program that it"),
                error.getMessage());
    }
}
