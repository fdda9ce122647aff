package dev.jacquard.tools;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs what users run, in one process, so that the JVM can write down which classes and methods the next start needs
 * (JEP 514). The launcher starts it after a build, with the option that makes the AOT cache. To train on more, add a line
 * to the list.
 */
final class AotTraining {
    private static final String STITCHING = "examples/stitching.yaml";
    private static final String MAKE_PLATE = "examples/make-plate.yaml";

    private AotTraining() {}

    /** {@code args[0]} is an empty folder for results. */
    public static void main(String[] args) {
        Environment process = Environment.ofProcess();
        Environment quiet = new Environment(
                Main.writer(OutputStream.nullOutputStream()),
                Main.writer(OutputStream.nullOutputStream()),
                false,
                process.data(),
                process.project(),
                false);
        for (String[] command : commands(process.project(), Path.of(args[0]))) {
            Main.run(command, quiet);
        }
    }

    private static List<String[]> commands(Path project, Path results) {
        String stitching = project.resolve(STITCHING).toString();
        String makePlate = project.resolve(MAKE_PLATE).toString();
        String out = results.resolve("out").toString();
        String plate = results.resolve("plate").toString();
        return List.of(
                new String[] {"--help"},
                new String[] {"--version"},
                new String[] {"run", "--help"},
                new String[] {"components"},
                new String[] {"machine", "--json"},
                new String[] {"run", "no-such-file.yaml"},
                new String[] {"run", makePlate, "--set", "plate.rows=3", "--set", "plate.columns=3", "--out", plate},
                new String[] {"run", stitching, "--out", out},
                new String[] {"run", stitching, "--out", out, "--json", "--set", "fft=jtransforms"},
                stitchMade(stitching, plate, "jtransforms", out),
                stitchMade(stitching, plate, "auto", out));
    }

    /** Tiles of 512 x 512, whose transforms take other paths than those of the bundled plate. */
    private static String[] stitchMade(String program, String plate, String fft, String out) {
        return new String[] {
            "run",
            program,
            "--out",
            out,
            "--set",
            "fft=" + fft,
            "--set",
            "tiles.folder=" + plate,
            "--set",
            "tiles.pattern=img_r{rrr}_c{ccc}.tif",
            "--set",
            "grid.rows=3",
            "--set",
            "grid.columns=3"
        };
    }
}
