package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.run.Program.Surroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Progress of the components of a program. */
class PartProgressTest {
    /** The calls so far, by the names of the parts. Guarded by itself. */
    private final Map<String, List<String>> told = new TreeMap<>();

    /** The progress of a part. */
    private final class Told implements Progress {
        private final String name;

        Told(String name) {
            this.name = name;
        }

        private void tell(String what) {
            synchronized (told) {
                told.computeIfAbsent(name, none -> new ArrayList<>()).add(what);
            }
        }

        @Override
        public void start(String stage, long steps) {
            tell(stage + " of " + steps);
        }

        @Override
        public void advance(long steps) {
            tell("+" + steps);
        }

        @Override
        public void end() {
            tell("end");
        }

        @Override
        public Progress part(String its) {
            return new Told(its);
        }
    }

    /** A stage ends with the execution that began it; who tells nothing ends nothing. */
    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL"})
    void eachPartHasItsOwn(RunMode mode, @TempDir Path folder) throws Exception {
        Scripted.is("tells", context -> {
            String name = context.name();
            return () -> {
                context.progress().start(name + " works", 2);
                context.progress().advance(1);
                return true;
            };
        });
        Scripted.is("tells nothing", context -> () -> true);
        Program program = new Programs(folder).load("""
                components:
                  a: {component: scripted, id: tells}
                  b: {component: scripted, id: tells}
                  c: {component: scripted, id: tells nothing}
                """, mode);
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            program.run(new Surroundings(out, new Told(""), new Cancellation(), false));
        }
        assertEquals(
                Map.of("a", List.of("a works of 2", "+1", "end"), "b", List.of("b works of 2", "+1", "end")), told);
    }

    private static final String LOOPS = """
            components:
              outer: {component: sum}
              inner: {component: sum}
              again: {component: until, limit: 5}
              end: {component: until, passes: 2}
              one: {component: number, value: 1}
            wires:
              {outer.in1: one.value, outer.in2: end.again, inner.in1: outer.value, inner.in2: again.again,
              again.value: inner.value, end.value: again.value}
            """;

    @ParameterizedTest
    @EnumSource(names = {"SERIAL", "PARALLEL", "TASK_PARALLEL"})
    void outermostLoopsShowTheirPasses(RunMode mode, @TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), LOOPS);
        Program program = Program.load(
                file, new Program.Choices(List.of(), null, Catalog.of(List.of()), mode, mode.hasRanks() ? 2 : 0));
        try (OutputFolder out = OutputFolder.open(folder.resolve("out"))) {
            program.run(new Surroundings(out, new Told(""), new Cancellation(), false));
        }
        List<String> shown = told.getOrDefault("loop to end", List.of());
        assertEquals("pass 1 of 2 of " + Progress.UNKNOWN, shown.getFirst());
        assertEquals("end", shown.getLast());
    }

    /** In virtual time: passes are shown a few times in a second, and those of inner loops that take long alone. */
    @Test
    void longLoopsInsideShowTheirPasses(@TempDir Path folder) throws Exception {
        ComposedProgram program = (ComposedProgram) new Programs(folder).load(LOOPS, RunMode.SERIAL);
        AtomicLong millis = new AtomicLong();
        Clock clock = () -> millis.get() * 1_000_000;
        Passes passes =
                new Passes(program.plan(), PassProgress.of(program.plan(), program.parts(), new Told(""), clock));
        int outer = program.plan().loops().get(0).parent() < 0 ? 0 : 1;
        int inner = 1 - outer;
        passes.enter(outer);
        passes.begin(outer);
        for (int time : List.of(0, 100, 199, 200, 250, 399, 400)) {
            millis.set(time);
            if (time == 0) {
                passes.enter(inner);
            }
            passes.begin(inner);
        }
        passes.leave(inner);
        passes.begin(outer);
        millis.set(500);
        passes.enter(inner);
        passes.begin(inner);
        passes.leave(inner);
        passes.leave(outer);
        assertEquals(
                Map.of(
                        "loop to again", List.of("pass 4 of 0", "pass 7 of 0", "end"),
                        "loop to end", List.of("pass 1 of 2 of 0", "pass 2 of 2 of 0", "end")),
                told);
    }
}
