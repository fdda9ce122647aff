package dev.jacquard.tools;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs typical commands of users, in one process, so that the JVM can write down which classes and methods the next
 * start needs (JEP 514; JEP 310 for loops in lanes). The launcher starts it after a build, with the option that makes
 * the cache. To train on more, add a line to the list.
 */
final class AotTraining {
    private static final String STITCHING = "examples/stitching.yaml";
    private static final String REPLAY = "examples/replay-tour.json";
    private static final String MAKE_PLATE = "examples/make-plate.yaml";
    private static final String HEAT = "examples/heat.yaml";
    private static final String TRANSPORT = "examples/transport.yaml";
    private static final String LOOPS = "examples/loops.yaml";
    private static final String EQUATIONS = "examples/pde.yaml";

    private AotTraining() {}

    /**
     * {@code args[0]} is an empty folder for results; {@code args[1]} is {@code lanes} for the programs that compute in
     * lanes, in a JVM that has the Vector API.
     *
     * @throws IOException if the folder cannot be written
     */
    public static void main(String[] args) throws IOException {
        Environment process = Environment.ofProcess();
        Environment quiet = new Environment(
                Main.writer(OutputStream.nullOutputStream()),
                Main.writer(OutputStream.nullOutputStream()),
                false,
                process.data(),
                process.project(),
                false);
        Path results = Path.of(args[0]);
        boolean isInLanes = args.length > 1 && args[1].equals("lanes");
        List<String[]> all = isInLanes ? inLanes(process.project(), results) : commands(process.project(), results);
        for (String[] command : all) {
            Main.run(command, quiet);
        }
    }

    private static List<String[]> commands(Path project, Path results) throws IOException {
        String stitching = project.resolve(STITCHING).toString();
        String makePlate = project.resolve(MAKE_PLATE).toString();
        String replay = project.resolve(REPLAY).toString();
        String loops = project.resolve(LOOPS).toString();
        String out = results.resolve("out").toString();
        return List.of(
                new String[] {"--help"},
                new String[] {"--version"},
                new String[] {"run", "--help"},
                new String[] {"components"},
                new String[] {"machine", "--json"},
                new String[] {"run", "no-such-file.yaml"},
                new String[] {"run", loops, "--check"},
                new String[] {"run", loops, "--out", out},
                new String[] {"run", loops, "--mode", "parallel", "--out", out},
                new String[] {JavaCommand.NAME, javaProgram(results)},
                new String[] {"replay", replay, "--json", "--check"},
                new String[] {"run", makePlate, "--set", "plate.rows=1", "--set", "plate.columns=1", "--out", out},
                new String[] {"run", stitching, "--out", out},
                new String[] {"run", stitching, "--out", out, "--json", "--set", "fft=jtransforms"});
    }

    /** A Java program that writes no file. */
    private static String javaProgram(Path results) throws IOException {
        String text = """
                import module dev.jacquard.core;

                void main() {
                    try (Session session = Session.open()) {
                        Handle<int[]> x = session.wrap("x", new int[1]);
                        session.graph().task("add").updates(x).run(ctx -> ctx.get(x)[0]++).join();
                    }
                }
                """;
        return Files.writeString(results.resolve("Training.java"), text).toString();
    }

    private static List<String[]> inLanes(Path project, Path results) {
        String out = results.resolve("out").toString();
        return List.of(
                fields(project, HEAT, out, "grid.cells=24x24x24", "time.steps=20"),
                fields(project, TRANSPORT, out, "grid.cells=24x24x24", "time.steps=20"),
                fields(project, EQUATIONS, out, "grid.cells=24x20x28", "time.end=0.02"));
    }

    private static String[] fields(Path project, String program, String out, String grid, String steps) {
        return new String[] {"run", project.resolve(program).toString(), "--out", out, "--set", grid, "--set", steps};
    }
}
