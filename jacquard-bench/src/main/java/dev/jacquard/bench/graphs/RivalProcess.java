package dev.jacquard.bench.graphs;

import dev.jacquard.bench.rival.Program;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** A running program of a rival. Confined to one thread. {@code rival.hpp} describes the protocol. */
final class RivalProcess implements SweepContender.PointRuns {
    private static final List<String> SETTINGS = List.of("OMP_", "GOMP_", "TBB_", "STARPU_");

    private final Program program;

    private RivalProcess(Program program) {
        this.program = program;
    }

    static RivalProcess start(
            Rival rival, Path program, String variant, int workers, String body, Shape shape, int[]... labels)
            throws IOException {
        Path file = Files.createTempFile("jacquard-", ".tasks");
        try {
            write(file, shape, labels);
            ProcessBuilder builder =
                    new ProcessBuilder(program.toString(), variant, Integer.toString(workers), body, file.toString());
            // The user's own settings of a rival would make figures that compare with no others.
            builder.environment().keySet().removeIf(key -> SETTINGS.stream().anyMatch(key::startsWith));
            builder.environment().putAll(rival.environment(variant));
            builder.environment()
                    .put("STARPU_HOME", program.resolveSibling("starpu").toString());
            return new RivalProcess(Program.start(rival.system(), builder));
        } finally {
            Files.delete(file);
        }
    }

    /**
     * Runs all tasks once.
     *
     * @param iterations of the kernel or the generator in each
     * @return nanoseconds
     * @throws IllegalStateException when the program says that its result is wrong
     */
    @Override
    public long run(long iterations) throws IOException {
        return Long.parseLong(program.ask("round " + iterations, "[0-9]+"));
    }

    @Override
    public double peak() throws IOException {
        return Double.parseDouble(program.ask("peak", "[0-9.e+]+"));
    }

    @Override
    public void close() throws IOException {
        program.close();
    }

    private static void write(Path file, Shape shape, int[]... labels) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(bytes(shape.cells(), shape.stride()));
            list(out, IntStream.range(0, shape.tasks()).map(shape::own).toArray());
            list(out, labels.length == 0 ? new int[0] : labels[0]);
            list(out, labels.length == 0 ? new int[0] : labels[1]);
            for (Shape.Lists lists : List.of(shape.reads(), shape.earlier(), shape.later())) {
                list(out, lists.starts());
                list(out, lists.items());
            }
        }
    }

    private static void list(OutputStream out, int[] numbers) throws IOException {
        out.write(bytes(numbers.length));
        out.write(bytes(numbers));
    }

    private static byte[] bytes(int... numbers) {
        ByteBuffer buffer = ByteBuffer.allocate(numbers.length * Integer.BYTES).order(ByteOrder.nativeOrder());
        buffer.asIntBuffer().put(numbers);
        return buffer.array();
    }
}
