package dev.jacquard.bench.plates;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload.Contender;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.SingleProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The application as the command line runs it, in this process, results written to a temporary folder. */
final class StitchingRun extends Contender {
    private final Clock clock;
    private final PlateFolder plate;
    private final PlateTruth truth;
    private final SingleProgram program;

    StitchingRun(Plan plan, int workers, String library) throws Exception {
        super("jacquard-" + library, workers);
        this.clock = plan.clock();
        this.plate = PlateFolder.of(plan);
        this.truth = new PlateTruth(plate.truth());
        this.program = PlateFolder.program(
                "component: stitching",
                "tiles.folder: " + plate.folder(),
                "tiles.pattern: img_r{rrr}_c{ccc}.tif",
                "grid.rows: " + plate.side(),
                "grid.columns: " + plate.side(),
                "workers: " + workers,
                "fft: " + library);
    }

    @Override
    public Map<String, Double> round() throws Exception {
        Path results = Files.createTempDirectory("jacquard-stitching");
        try {
            long start = clock.nanoTime();
            Report report = PlateFolder.run(program, results);
            double seconds = (clock.nanoTime() - start) / 1e9;
            verify(truth.agreesWith(results.resolve("positions.csv")), "a position");
            Map<String, Double> figures = new LinkedHashMap<>();
            figures.put(MAIN, firstReadToPositions(report));
            figures.put(".total", seconds);
            return figures;
        } finally {
            PlateFolder.delete(results);
        }
    }

    private static double firstReadToPositions(Report report) {
        if (report.values().get("seconds") instanceof Map<?, ?> seconds
                && seconds.get("firstReadToPositions") instanceof Double value) {
            return value;
        }
        throw new IllegalStateException("the report of a stitching run has no seconds.firstReadToPositions: " + report);
    }

    @Override
    public void close() throws IOException {
        plate.close();
    }
}
