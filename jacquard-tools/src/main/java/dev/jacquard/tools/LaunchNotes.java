package dev.jacquard.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Notes of ranks for the command that has started them by a launcher of MPI, since a launcher passes neither signals
 * nor exit codes on as they are: the process of each rank, and the exit code of the first rank that failed. They are
 * files in a folder of this machine; ranks on other machines leave none.
 *
 * <p>Threads and processes: any. The name of an empty file is a rank with its process. The exit code is the content of
 * a file that only one rank creates; it is read when all ranks have ended.
 */
final class LaunchNotes implements AutoCloseable {
    /** The environment variable of ranks that names the folder. */
    static final String VARIABLE = "JACQUARD_LAUNCH_NOTES";

    private static final Pattern RANK = Pattern.compile("rank-(\\d+)-process-(\\d+)");
    private static final String ENDED = "ended-";
    private static final String CODE = "exit-code";

    private final Path folder;

    private LaunchNotes(Path folder) {
        this.folder = folder;
    }

    /** Makes a folder for the notes of ranks. */
    static LaunchNotes create() throws IOException {
        return new LaunchNotes(Files.createTempDirectory("jacquard-ranks-"));
    }

    /** Returns the notes for the command that has started this process as a rank on this machine; null if none has. */
    static @Nullable LaunchNotes ofEnvironment() {
        String folder = System.getenv(VARIABLE);
        return folder == null || !Files.isDirectory(Path.of(folder)) ? null : new LaunchNotes(Path.of(folder));
    }

    Path folder() {
        return folder;
    }

    /** Notes this process as a rank. */
    void begin(int rank) {
        note("rank-" + rank + "-process-" + ProcessHandle.current().pid());
    }

    /** Notes that communication has ended in good order, on all ranks. */
    void end() {
        note(ENDED + ProcessHandle.current().pid());
    }

    private void note(String name) {
        try {
            Files.createFile(folder.resolve(name));
        } catch (IOException e) {
            // then the launcher alone knows of this process
        }
    }

    /**
     * Notes the exit code of this process if it fails.
     *
     * @return the exit code for the launcher: 0 after a good end, since it would begin to kill ranks that end
     */
    int exit(int exitCode) {
        if (exitCode != 0) {
            fail(exitCode);
        }
        return hasEnded(ProcessHandle.current().pid()) ? 0 : exitCode;
    }

    private boolean hasEnded(long process) {
        return Files.exists(folder.resolve(ENDED + process));
    }

    /** Notes the exit code of this rank, which fails, unless another rank has failed before. */
    void fail(int exitCode) {
        try {
            Files.writeString(folder.resolve(CODE), String.valueOf(exitCode), StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            // another rank was the first, or the exit code is the launcher's
        }
    }

    /** Returns the processes by rank, of ranks that have begun on this machine and not ended in good order. */
    Map<Integer, Long> processes() {
        Map<Integer, Long> processes = new TreeMap<>();
        for (Path each : files()) {
            Matcher name = RANK.matcher(each.getFileName().toString());
            if (name.matches() && !hasEnded(Long.parseLong(name.group(2)))) {
                processes.put(Integer.valueOf(name.group(1)), Long.valueOf(name.group(2)));
            }
        }
        return processes;
    }

    /** Returns the exit code of the first rank that failed; 0 if none has noted it. */
    int exitCode() throws IOException {
        Path file = folder.resolve(CODE);
        String text = Files.exists(file) ? Files.readString(file) : "";
        return text.isEmpty() ? 0 : Integer.parseInt(text);
    }

    private List<Path> files() {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        } catch (IOException e) { // the folder was deleted
            return List.of();
        }
    }

    /** Deletes the notes. */
    @Override
    public void close() throws IOException {
        for (Path each : files()) {
            Files.deleteIfExists(each);
        }
        Files.deleteIfExists(folder);
    }
}
