package dev.jacquard.apps.program;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes a file that has all of its content or, when writing fails or the process is killed, the content that it had
 * before.
 */
public final class WholeFile {
    private WholeFile() {}

    /** Writes content, in UTF-8. */
    @FunctionalInterface
    public interface Content {
        /** Writes all of it; the writer is closed by the caller. */
        void write(Writer to) throws IOException;
    }

    /** Writes {@code content} to {@code file}. A pipe or a device is written as it is. */
    public static void write(Path file, Content content) throws IOException {
        Path place = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        Path parent = place.getParent();
        if (parent == null || (Files.exists(place) && !Files.isRegularFile(place))) {
            writeTo(place, content);
            return;
        }
        String prefix = "." + place.getFileName() + ".unfinished-";
        for (WorkFolder dead : WorkFolder.ofDead(parent, prefix)) {
            dead.close();
        }
        try (WorkFolder work = WorkFolder.make(parent, prefix)) {
            Path made = work.files().resolve(place.getFileName());
            writeTo(made, content);
            WorkFolder.sync(made);
            Files.move(made, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            WorkFolder.sync(parent);
        }
    }

    private static void writeTo(Path file, Content content) throws IOException {
        try (Writer out = Files.newBufferedWriter(file)) {
            content.write(out);
        }
    }
}
