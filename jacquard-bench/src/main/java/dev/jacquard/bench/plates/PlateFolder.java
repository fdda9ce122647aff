package dev.jacquard.bench.plates;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.SingleProgram;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A plate with known true positions: {@code recut-8x8} where the data folder has it, else a plate of the same shape
 * that is cut into a temporary folder. Confined to the thread that made it.
 */
final class PlateFolder implements AutoCloseable {
    private static final String RECUT = "recut-8x8";
    private static final int SIDE = 8;
    private static final int QUICK_SIDE = 3;
    private static final int TILE = 512;
    private static final int QUICK_TILE = 192;

    private final Path folder;
    private final int side;
    private final boolean temporary;

    private PlateFolder(Path folder, int side, boolean temporary) {
        this.folder = folder;
        this.side = side;
        this.temporary = temporary;
    }

    /** Finds the plate, or cuts one: always a small one for a quick plan. */
    static PlateFolder of(Plan plan) throws Exception {
        Path data = plan.data();
        if (data != null && !plan.quick()) {
            for (Path recut :
                    List.of(data.resolve(RECUT), data.resolve("stitching").resolve(RECUT))) {
                if (Files.isDirectory(recut)) {
                    return new PlateFolder(recut.toAbsolutePath().normalize(), SIDE, false);
                }
            }
        }
        return cut(plan.quick() ? QUICK_SIDE : SIDE, plan.quick() ? QUICK_TILE : TILE);
    }

    private static PlateFolder cut(int side, int tile) throws Exception {
        Path folder = Files.createTempDirectory("jacquard-plate");
        SingleProgram program = program(
                "component: make-plate",
                "mosaic: generated",
                "plate.rows: " + side,
                "plate.columns: " + side,
                "tile.width: " + tile,
                "tile.height: " + tile);
        run(program, folder);
        return new PlateFolder(folder, side, true);
    }

    /** Runs a program with {@code results} as the folder of its results. */
    static Report run(SingleProgram program, Path results) throws Exception {
        try (OutputFolder output = OutputFolder.open(results)) {
            Report report =
                    program.application().run(new Job(program.settings(), output, Progress.NONE, new Cancellation()));
            output.commit();
            return report;
        }
    }

    /** A program of these lines, with absolute paths. */
    static SingleProgram program(String... lines) throws IOException {
        Path file = Files.createTempFile("jacquard-bench", ".yaml");
        try {
            Files.write(file, List.of(lines));
            return SingleProgram.load(file, List.of(), null);
        } finally {
            Files.delete(file);
        }
    }

    Path folder() {
        return folder;
    }

    int side() {
        return side;
    }

    /** {@code file x y row column} per tile. */
    Path truth() {
        return folder.resolve("ground-truth.txt");
    }

    @Override
    public void close() throws IOException {
        if (temporary) {
            delete(folder);
        }
    }

    /** Deletes a folder that holds files only. */
    static void delete(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
