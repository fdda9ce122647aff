package dev.jacquard.bench.graphs;

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
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A rival's program, or why there is none.
 *
 * <p>Programs are kept in a folder of the user's own among the temporary files; their names carry a hash of the source,
 * the options and the compiler, so that a program is never older than what it is made of.
 *
 * @param program the program; null when there is none
 * @param problem why there is none; null when there is one
 */
record Compilation(@Nullable Path program, @Nullable String problem) {
    private static final String COMPILER = "g++";
    private static final List<String> OPTIONS = List.of("-O3", "-march=native", "-std=c++17", "-pthread");
    private static final String HEADER = "rival.hpp";
    private static final int LIMIT_SECONDS = 120;
    private static final int HASH_DIGITS = 16;

    /** One per rival and process. */
    private static final Map<Rival, Compilation> MADE = new ConcurrentHashMap<>();

    /** The rival's program, compiled when it is first asked for. */
    static Compilation of(Rival rival) {
        return MADE.computeIfAbsent(rival, any -> with(COMPILER, any));
    }

    static Compilation with(String compiler, Rival rival) {
        try {
            return new Compilation(compile(compiler, rival), null);
        } catch (IOException e) {
            return new Compilation(null, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Compilation(null, "compiling was interrupted");
        }
    }

    private static Path compile(String compiler, Rival rival) throws IOException, InterruptedException {
        String version = call(List.of(compiler, "--version"));
        byte[] source = resource(rival.system() + ".cpp");
        byte[] header = resource(HEADER);
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(rival.flags());
        Path folder = folder();
        Path program = folder.resolve(rival.system() + "-" + hash(source, header, bytes(options + version)));
        if (Files.isExecutable(program)) {
            return program;
        }
        Path work = Files.createTempDirectory(folder, "build");
        try {
            Path text = Files.write(work.resolve(rival.system() + ".cpp"), source);
            Files.write(work.resolve(HEADER), header);
            Path made = work.resolve(rival.system());
            List<String> command = new ArrayList<>(List.of(compiler, text.toString(), "-o", made.toString()));
            command.addAll(options);
            call(command);
            Files.move(made, program, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            for (String name : List.of(rival.system() + ".cpp", HEADER, rival.system())) {
                Files.deleteIfExists(work.resolve(name));
            }
            Files.delete(work);
        }
        return program;
    }

    /** Runs a command and answers what it printed. */
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

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Compilation.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IOException("the source " + name + " is not among the resources");
            }
            return in.readAllBytes();
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String hash(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, HASH_DIGITS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
