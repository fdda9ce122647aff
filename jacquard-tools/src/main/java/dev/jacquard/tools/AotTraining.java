package dev.jacquard.tools;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs what users run, in one process, so that the JVM can write down which classes and methods the next start needs
 * (JEP 514). The launcher starts it after a build, with the option that makes the AOT cache. To train on more, add a
 * line to the list.
 */
final class AotTraining {
    private static final String STITCHING = "examples/stitching.yaml";
    private static final String REPLAY = "examples/replay-tour.json";
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
        String replay = project.resolve(REPLAY).toString();
        String out = results.resolve("out").toString();
        return List.of(
                new String[] {"--help"},
                new String[] {"--version"},
                new String[] {"run", "--help"},
                new String[] {"components"},
                new String[] {"machine", "--json"},
                new String[] {"run", "no-such-file.yaml"},
                new String[] {"replay", replay, "--json", "--check"},
                new String[] {"run", makePlate, "--set", "plate.rows=1", "--set", "plate.columns=1", "--out", out},
                new String[] {"run", stitching, "--out", out},
                new String[] {"run", stitching, "--out", out, "--json", "--set", "fft=jtransforms"});
    }
}
