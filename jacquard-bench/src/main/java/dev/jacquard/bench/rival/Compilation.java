package dev.jacquard.bench.rival;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program in C++ of ours, or why there is none.
 *
 * <p>Programs are kept in a folder of the user's own among the temporary files; their names carry a hash of the source,
 * the options and the compiler, so that a program is never older than its sources.
 *
 * @param program the program; null when there is none
 * @param problem why there is none; null when there is one
 */
public record Compilation(@Nullable Path program, @Nullable String problem) {
    /** The installation that it needs, as a command for Debian. */
    public static final String REMEDY = "apt-get install g++";

    private static final String COMPILER = "g++";
    private static final List<String> OPTIONS = List.of("-O3", "-march=native", "-std=c++17", "-pthread");
    private static final int LIMIT_SECONDS = 120;
    private static final int HASH_DIGITS = 16;

    /** One per source and process. */
    private static final Map<Source, Compilation> MADE = new ConcurrentHashMap<>();

    /**
     * The sources of a program.
     *
     * @param beside the class with the files as its resources
     * @param name of the program, and with {@code .cpp} of its file
     * @param headers the other files that it includes
     * @param options for the compiler, after the source and the options that all programs have
     */
    public record Source(Class<?> beside, String name, List<String> headers, List<String> options) {
        public Source {
            headers = List.copyOf(headers);
            options = List.copyOf(options);
        }

        private byte[] file(String of) throws IOException {
            try (InputStream in = beside.getResourceAsStream(of)) {
                if (in == null) {
                    throw new IOException("the source " + of + " is not among the resources");
                }
                return in.readAllBytes();
            }
        }
    }

    /** Returns the program, compiled when it is first asked for. */
    public static Compilation of(Source source) {
        return MADE.computeIfAbsent(source, any -> with(COMPILER, any));
    }

    /** Returns the program as that compiler makes it. */
    public static Compilation with(String compiler, Source source) {
        try {
            return new Compilation(compile(compiler, source), null);
        } catch (IOException e) {
            return new Compilation(null, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Compilation(null, "compiling was interrupted");
        }
    }

    private static Path compile(String compiler, Source source) throws IOException, InterruptedException {
        String version = call(List.of(compiler, "--version"));
        String main = source.name + ".cpp";
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put(main, source.file(main));
        for (String header : source.headers) {
            files.put(header, source.file(header));
        }
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(source.options);
        Path folder = folder();
        Path program = folder.resolve(source.name + "-" + hash(files.values(), options + version));
        if (Files.isExecutable(program)) {
            return program;
        }
        Path work = Files.createTempDirectory(folder, "build");
        Path made = work.resolve(source.name);
        try {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Files.write(work.resolve(file.getKey()), file.getValue());
            }
            List<String> command =
                    new ArrayList<>(List.of(compiler, work.resolve(main).toString(), "-o", made.toString()));
            command.addAll(options);
            call(command);
            Files.move(made, program, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            for (String name : files.keySet()) {
                Files.deleteIfExists(work.resolve(name));
            }
            Files.deleteIfExists(made);
            Files.delete(work);
        }
        return program;
    }

    /** Runs a command and returns its output. */
    private static String call(List<String> command) throws IOException, InterruptedException {
        Path log = Files.createTempFile("jacquard-", ".log");
        try {
            Process process = start(command, log);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(command.getFirst() + " was not done after " + LIMIT_SECONDS + " s");
            }
            String printed = Files.readString(log, StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new IOException(printed.lines()
                        .filter(line -> line.contains("error") || line.contains("cannot find"))
                        .findFirst()
                        .map(line -> line.substring(line.lastIndexOf("error: ") < 0 ? 0 : line.lastIndexOf("error: ")))
                        .orElse(command.getFirst() + " failed"));
            }
            return printed;
        } finally {
            Files.delete(log);
        }
    }

    private static Process start(List<String> command, Path log) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().put("LC_ALL", "C");
        try {
            return builder.start();
        } catch (IOException e) {
            throw new IOException("there is no compiler (" + command.getFirst() + ") on the PATH", e);
        }
    }

    /** Programs that others could write must not be run. */
    private static Path folder() throws IOException {
        String user = System.getProperty("user.name");
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), "jacquard-rivals-" + user);
        if (!Files.exists(folder)) {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        if (!Files.isDirectory(folder)
                || !Files.getOwner(folder).getName().equals(user)
                || !PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))
                        .equals("rwx------")) {
            throw new IOException(folder + " must be a folder that only " + user + " can use; remove it");
        }
        return folder;
    }

    private static String hash(Collection<byte[]> files, String how) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            files.forEach(digest::update);
            digest.update(how.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest()).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
