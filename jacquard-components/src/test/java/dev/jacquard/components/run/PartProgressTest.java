package dev.jacquard.components.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.run.Program.Surroundings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
}
