package dev.jacquard.apps.known;

import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.SingleProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Runs an example in a folder, as the command line does. */
record KnownRuns(Path example, Path folder) {
    Report run(String out, String... settings) throws Exception {
        List<String> all = new ArrayList<>(List.of(settings));
        SingleProgram program = SingleProgram.load(example, all, null);
        try (OutputFolder output = OutputFolder.open(folder.resolve(out))) {
            Report report =
                    program.application().run(new Job(program.settings(), output, Progress.NONE, new Cancellation()));
            output.commit();
            return report;
        }
    }

    static double number(Report report, String key) {
        return ((Number) Objects.requireNonNull(report.values().get(key), key)).doubleValue();
    }

    static String[] join(String[] some, String... more) {
        List<String> all = new ArrayList<>(List.of(some));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }
}
