package dev.jacquard.components.program;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files apart from any folder of results: each is written next to its place, and moved there when it is whole. */
public final class WholeFile {
    /** The content of one file, in UTF-8. */
    @FunctionalInterface
    public interface Content {
        /** Writes all of it; the writer is closed by the caller. */
        void write(Writer to) throws IOException;
    }

    private WholeFile() {}

    /**
     * Writes a file: it has all of {@code content} or, when writing fails or the process is killed, its earlier
     * content. A pipe or a device is written as it is.
     *
     * @throws IOException with the file and the reason
     */
    public static void write(Path file, Content content) throws IOException {
        try {
            if (isWrittenAsItIs(file)) {
                writeTo(file, content);
            } else {
                replace(place(file), content);
            }
        } catch (IOException e) {
            throw new IOException(file + " cannot be written: " + reason(e), e);
        }
    }

    /**
     * Makes the file that {@link #write} would write to, and removes it again.
     *
     * @throws IOException if no file can be made there, or replaced
     */
    public static void requirePlace(Path file) throws IOException {
        if (isWrittenAsItIs(file)) {
            return;
        }
        Path place = place(file);
        try (WorkFolder work = beside(place)) {
            if (Files.exists(place) && !work.rights().mayMove(place, place.resolveSibling(""))) {
                throw new IOException("it belongs to another user, and in its folder only its owner may replace it");
            }
        }
    }

    /** Returns true for a pipe or a device, which may have no other name than this. */
    private static boolean isWrittenAsItIs(Path file) {
        return Files.exists(file) && !Files.isRegularFile(file);
    }

    private static Path place(Path file) throws IOException {
        return Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    }

    private static WorkFolder beside(Path place) throws IOException {
        Path folder = place.resolveSibling("");
        String prefix = "." + place.getFileName() + ".unfinished-";
        for (WorkFolder dead : WorkFolder.ofDead(folder, prefix)) {
            dead.close();
        }
        return WorkFolder.make(folder, prefix);
    }

    private static void replace(Path place, Content content) throws IOException {
        try (WorkFolder work = beside(place)) {
            Path made = work.files().resolve(place.getFileName());
            writeTo(made, content);
            WorkFolder.sync(made);
            Files.move(made, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            WorkFolder.sync(place.resolveSibling(""));
        }
    }

    private static void writeTo(Path file, Content content) throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            content.write(out);
        }
    }

    /** Returns the reason in words. */
    static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> "permission denied for " + denied.getFile();
            case FileSystemException other
            when other.getReason() == null ->
                other.getClass().getSimpleName().replace("Exception", "") + " " + other.getFile();
            default -> e.getMessage() == null ? e.toString() : e.getMessage();
        };
    }
}
