package dev.jacquard.apps.stitching;

import dev.jacquard.apps.TestData;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.SingleProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs a program as the command line does, into a folder, and reads its tables. */
final class PlateRun {
    /** The project's root, from a module's folder. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private final Path folder;

    private PlateRun(Path folder) {
        this.folder = folder;
    }

    /** Runs {@code examples/NAME.yaml} with overrides. */
    static PlateRun example(String name, Path out, String... overrides) throws Exception {
        run(name, out, new Cancellation(), Progress.NONE, overrides);
        return new PlateRun(out);
    }

    static Report run(String name, Path out, Cancellation cancellation, Progress progress, String... overrides)
            throws Exception {
        SingleProgram program = SingleProgram.load(
                ROOT.resolve("examples").resolve(name + ".yaml"), List.of(overrides), TestData.root());
        try (OutputFolder output = OutputFolder.open(out)) {
            Report report = program.application().run(new Job(program.settings(), output, progress, cancellation));
            Files.writeString(output.file("report.json"), report.toJson());
            output.commit();
            return report;
        }
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    /** What the run found. */
    Places positions() throws IOException {
        Map<String, double[]> positions = new HashMap<>();
        for (String[] row : table("positions.csv")) {
            positions.put(row[0], new double[] {Integer.parseInt(row[3]), Integer.parseInt(row[4])});
        }
        return new Places(positions);
    }

    /** Rows of a table, without its header. */
    List<String[]> table(String name) throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (String line : Files.readAllLines(file(name))) {
            rows.add(line.split(",", -1));
        }
        return rows.subList(1, rows.size());
    }

    /** Lines {@code file x y ...} of an oracle, or {@code file; ; (x, y)}; others are passed over. */
    static Places truth(Path file) throws IOException {
        Map<String, double[]> truth = new HashMap<>();
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.replaceAll("[();,]", " ").trim().split("\\s+", -1);
            if (fields.length >= 3 && fields[0].endsWith(".tif")) {
                truth.put(fields[0], new double[] {Double.parseDouble(fields[1]), Double.parseDouble(fields[2])});
            }
        }
        return new Places(truth);
    }
}
