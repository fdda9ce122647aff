package dev.jacquard.bench.graphs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A running program of a rival. Confined to one thread. {@code rival.hpp} describes the protocol. */
final class RivalProcess implements SweepContender.PointRuns {
    private static final int LIMIT_SECONDS = 120;
    private static final int END_SECONDS = 10;
    private static final List<String> SETTINGS = List.of("OMP_", "GOMP_", "TBB_", "STARPU_");

    private final String name;
    private final Process process;
    private final BufferedReader answers;
    /** The lines of the process that were no answers, for messages. */
    private final List<String> said = new ArrayList<>();

    private RivalProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    static RivalProcess start(
            Rival rival, Path program, String variant, int workers, String body, Shape shape, int[]... labels)
            throws IOException {
        Path file = Files.createTempFile("jacquard-", ".tasks");
        try {
            write(file, shape, labels);
            ProcessBuilder builder = new ProcessBuilder(
                            program.toString(), variant, Integer.toString(workers), body, file.toString())
                    .redirectErrorStream(true);
            // The user's own settings of a rival would make figures that compare with no others.
            builder.environment().keySet().removeIf(key -> SETTINGS.stream().anyMatch(key::startsWith));
            builder.environment().putAll(rival.environment(variant));
            builder.environment()
                    .put("STARPU_HOME", program.resolveSibling("starpu").toString());
            RivalProcess started = new RivalProcess(rival.system(), builder.start());
            try {
                started.await("ready");
            } catch (IOException e) {
                started.close();
                throw e;
            }
            return started;
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
        tell("round " + iterations);
        return Long.parseLong(await("[0-9]+"));
    }

    @Override
    public double peak() throws IOException {
        tell("peak");
        return Double.parseDouble(await("[0-9.e+]+"));
    }

    private void tell(String what) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append(what).append('\n').flush();
    }

    /** The next answer of this form; what libraries print in between is passed over. */
    private String await(String form) throws IOException {
        CompletableFuture<@Nullable Void> answered = new CompletableFuture<>();
        CompletableFuture<?> _ = answered.orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .whenComplete((_, late) -> {
                    if (late != null) {
                        process.destroyForcibly();
                    }
                });
        try {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                if (line.matches(form)) {
                    return line;
                }
                said.add(line);
                if (line.startsWith("wrong: ")) {
                    throw new IllegalStateException(name + " did not do the work: " + line);
                }
            }
        } finally {
            answered.complete(null);
        }
        throw new IOException(String.format(
                Locale.ROOT,
                "the program of %s ended or took more than %d s; it said: %s",
                name,
                LIMIT_SECONDS,
                String.join("\n", said)));
    }

    @Override
    public void close() throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).close();
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
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
