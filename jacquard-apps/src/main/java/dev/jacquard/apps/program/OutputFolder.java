package dev.jacquard.apps.program;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A folder that gets all files of a run or none. Files are written under another name in a hidden folder inside it, and
 * moved to their names by {@link #commit}. Closing without commit takes away what was written, and the folders that
 * {@link #open} made. Confined to one thread at a time, but the files may be written by any.
 */
public final class OutputFolder implements AutoCloseable {
    private final Path folder;
    private final Path staging;
    private final Deque<Path> made;
    private final Map<String, Path> staged = new LinkedHashMap<>();
    private boolean committed;

    private OutputFolder(Path folder, Path staging, Deque<Path> made) {
        this.folder = folder;
        this.staging = staging;
        this.made = made;
    }

    /**
     * Opens {@code folder}, making it and its parents where they are missing.
     *
     * @throws InputException if it is a file, or cannot be made or written
     */
    public static OutputFolder open(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        Deque<Path> made = new ArrayDeque<>();
        try {
            makeFolders(absolute, made);
            Path staging = Files.createTempDirectory(absolute, ".unfinished-");
            return new OutputFolder(absolute, staging, made);
        } catch (IOException e) {
            made.forEach(OutputFolder::deleteIfEmpty);
            throw new InputException("the output folder " + absolute + " cannot be written: " + reason(e), e);
        }
    }

    private static void makeFolders(Path folder, Deque<Path> made) throws IOException {
        @Nullable Path missing = folder;
        Deque<Path> toMake = new ArrayDeque<>();
        while (missing != null && !Files.exists(missing)) {
            toMake.push(missing);
            missing = missing.getParent();
        }
        if (missing != null && !Files.isDirectory(missing)) {
            throw new InputException("the output folder " + folder + " cannot be made: " + missing
                    + " is a file; give another folder with --out");
        }
        for (Path next : toMake) {
            Files.createDirectory(next);
            made.push(next);
        }
    }

    /** Where the files are in the end. */
    public Path folder() {
        return folder;
    }

    /**
     * Where to write the file that will be called {@code name}.
     *
     * @throws InputException if there is a folder of this name
     */
    public Path file(String name) {
        if (Files.isDirectory(folder.resolve(name))) {
            throw new InputException("the output file " + folder.resolve(name) + " cannot be written: it is a folder");
        }
        return staged.computeIfAbsent(name, staging::resolve);
    }

    /** Moves all files to their names, replacing earlier ones. */
    public void commit() throws IOException {
        for (Map.Entry<String, Path> file : staged.entrySet()) {
            Files.move(
                    file.getValue(),
                    folder.resolve(file.getKey()),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        }
        committed = true;
    }

    /** Removes what was not committed. */
    @Override
    public void close() throws IOException {
        if (!committed) {
            for (Path file : staged.values()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(staging);
        if (!committed) {
            made.forEach(OutputFolder::deleteIfEmpty);
        }
    }

    private static void deleteIfEmpty(Path made) {
        try {
            Files.deleteIfExists(made);
        } catch (IOException e) {
            // Someone else has put a file there since: the folder is theirs now.
        }
    }

    private static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> "permission denied for " + denied.getFile();
            case FileSystemException other
            when other.getReason() == null ->
                other.getClass().getSimpleName().replace("Exception", "") + " " + other.getFile();
            default -> e.getMessage() == null ? e.toString() : e.getMessage();
        };
    }
}
