package dev.jacquard.bench.rival;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A running program, which gets lines and answers each with one. Confined to one thread. */
public final class Program implements AutoCloseable {
    /** Long enough for a round on a machine that does much else. */
    private static final int LIMIT_SECONDS = 600;

    private static final int END_SECONDS = 10;

    private final String name;
    private final Process process;
    private final BufferedReader answers;
    /** The lines of the process that were no answers, for messages. */
    private final List<String> said = new ArrayList<>();

    private Program(String name, Process process) {
        this.name = name;
        this.process = process;
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts a program, and waits until it says that it is ready.
     *
     * @param name of the system that it stands for, for messages
     * @param command the program and its arguments, and its environment
     */
    public static Program start(String name, ProcessBuilder command) throws IOException {
        Program started = new Program(name, command.redirectErrorStream(true).start());
        try {
            started.await("ready");
        } catch (IOException e) {
            started.close();
            throw e;
        }
        return started;
    }

    /**
     * Tells it a line.
     *
     * @param what the line
     * @param form of the answer, as a regular expression
     * @return the answer
     * @throws IllegalStateException when the program says that its result is wrong
     */
    public String ask(String what, String form) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append(what).append('\n').flush();
        return await(form);
    }

    /** The next answer of this form; output of libraries in between is passed over. */
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

    /** Ends its input, at which it ends; kills it if it does not. */
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
}
