package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.Program.Surroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Traces of programs, read as a viewer reads them. */
class RunTraceTest {
    private static final String NESTED = """
            components:
              one: {component: number, value: 1}
              outer: {component: sum}
              inner: {component: sum}
              in-end: {component: until, passes: 3}
              out-end: {component: until, passes: 2}
              tasks: {component: scripted, id: submits}
              behind: {component: show}
            wires:
              outer.in1: one.value
              outer.in2: out-end.again
              inner.in1: outer.value
              inner.in2: in-end.again
              in-end.value: inner.value
              out-end.value: in-end.value
              behind.value: inner.value
            """;

    @TempDir
    Path folder;

    /**
     * A span of a lane.
     *
     * @param begin in microseconds
     * @param passes of loops, by the names of their exits, and the argument under {@code id}
     */
    private record Span(String name, double begin, double end, Map<?, ?> passes) {
        boolean isWithin(Span other) {
            return begin >= other.begin - 0.001 && end <= other.end + 0.001;
        }
    }

    private Path file() {
        return folder.resolve("trace.json");
    }

    /** Returns the spans by the names of their lanes. */
    private Map<String, List<Span>> read() throws Exception {
        LoadSettings settings =
                LoadSettings.builder().setCodePointLimit(1 << 26).build();
        Map<?, ?> document = (Map<?, ?>) new Load(settings).loadFromString(Files.readString(file()));
        Map<Object, String> names = new HashMap<>();
        Map<String, List<Span>> lanes = new TreeMap<>();
        for (Object its : (List<?>) Objects.requireNonNull(document.get("traceEvents"))) {
            Map<?, ?> event = (Map<?, ?>) its;
            Map<?, ?> args = (Map<?, ?>) Objects.requireNonNull(event.get("args"));
            if ("thread_name".equals(event.get("name"))) {
                names.put(event.get("tid"), String.valueOf(args.get("name")));
                lanes.put(String.valueOf(args.get("name")), new ArrayList<>());
            } else if ("X".equals(event.get("ph"))) {
                double begin = ((Number) Objects.requireNonNull(event.get("ts"))).doubleValue();
                double length = ((Number) Objects.requireNonNull(event.get("dur"))).doubleValue();
                Objects.requireNonNull(lanes.get(names.get(event.get("tid"))))
                        .add(new Span(String.valueOf(event.get("name")), begin, begin + length, args));
            }
        }
        return lanes;
    }

    private Report run(Program program, boolean resumes) throws Exception {
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            return program.run(new Surroundings(out, Progress.NONE, new Cancellation(), resumes, file()));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void eachExecutionIsASpanWithItsPasses(RunMode mode) throws Exception {
        Scripted.is("submits", context -> () -> {
            var graph = context.session().graph();
            for (int i = 0; i < 5; i++) {
                graph.task("its task").run(ctx -> {});
            }
            graph.await();
            return true;
        });
        Report report = run(new Programs(folder).load(NESTED, mode, "workers=2"), false);
        Map<String, List<Span>> lanes = read();
        for (Object its : (List<?>) Objects.requireNonNull(report.values().get("components"))) {
            String name = String.valueOf(((Map<?, ?>) its).get("name"));
            List<Span> spans = Objects.requireNonNull(lanes.get("component " + name), name);
            assertEquals(((Map<?, ?>) its).get("executions"), (long) spans.size(), name);
            assertTrue(spans.stream().allMatch(span -> span.name().equals(name)), name);
        }
        assertEquals(List.of(Map.of("id", 1)), passes(lanes, "behind"));
        assertEquals(
                List.of(Map.of("id", 1, "pass of out-end", 1), Map.of("id", 2, "pass of out-end", 2)),
                passes(lanes, "outer"));
        List<Map<?, ?>> inner = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            inner.add(Map.of("id", i + 1, "pass of out-end", 1 + i / 3, "pass of in-end", 1 + i % 3));
        }
        assertEquals(inner, passes(lanes, "inner"));
        Span execution = Objects.requireNonNull(lanes.get("component tasks")).getFirst();
        List<Span> tasks = lanes.entrySet().stream()
                .filter(lane -> lane.getKey().startsWith("worker"))
                .flatMap(lane -> lane.getValue().stream())
                .filter(span -> span.name().equals("its task"))
                .toList();
        assertEquals(5, tasks.size());
        tasks.forEach(task -> assertTrue(task.isWithin(execution), () -> task + " in " + execution));
    }

    private static List<Map<?, ?>> passes(Map<String, List<Span>> lanes, String part) {
        return Objects.requireNonNull(lanes.get("component " + part)).stream()
                .<Map<?, ?>>map(Span::passes)
                .toList();
    }

    /** The execution that failed is there, and a run that goes on counts on. */
    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void failedAndResumedRunsAreTraced(RunMode mode) throws Exception {
        Program program = new Programs(folder).load("""
                checkpoint: {every: 2}
                components:
                  a: {component: sum}
                  bad: {component: fail, at: 6}
                  x: {component: until, passes: 8}
                wires: {a.in1: x.again, bad.value: a.value, x.value: bad.value}
                """, mode);
        assertThrows(ComponentFailedException.class, () -> run(program, false));
        assertEquals(
                List.of(1, 2, 3, 4, 5, 6),
                passes(read(), "bad").stream().map(its -> its.get("pass of x")).toList());
        assertThrows(ComponentFailedException.class, () -> run(program, true));
        assertEquals(List.of(Map.of("id", 5, "pass of x", 5), Map.of("id", 6, "pass of x", 6)), passes(read(), "bad"));
    }

    @Test
    void nothingIsTracedUnlessItIsAskedFor() throws Exception {
        Scripted.is("asks", context -> () -> {
            context.result(context.session().trace().on());
            return true;
        });
        Programs programs = new Programs(folder);
        Program program = programs.load("components: {a: {component: scripted, id: asks}}\n", RunMode.SERIAL);
        assertEquals(Map.of("a", false), programs.run(program).values().get("results"));
        assertFalse(Files.exists(file()));
        assertEquals(Map.of("a", true), run(program, false).values().get("results"));
        assertTrue(Files.exists(file()));
    }
}
