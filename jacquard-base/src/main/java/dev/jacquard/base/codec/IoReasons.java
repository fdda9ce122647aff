package dev.jacquard.base.codec;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Texts of failed reads and writes, with the information that the user needs to mend them. */
final class IoReasons {
    private IoReasons() {}

    /** Returns the failure of writing a file, of which nothing has come to its place. */
    static IOException cannotWrite(Path file, IOException cause) {
        return new IOException(
                file + " cannot be written" + reason(file, cause) + (isFull(cause) ? free(file) : ""), cause);
    }

    /** Returns the failure of reading a file. */
    static IOException cannotRead(Path file, IOException cause) {
        return new IOException(file + " cannot be read" + reason(file, cause), cause);
    }

    private static String reason(Path file, IOException cause) {
        return switch (cause) {
            case ClosedByInterruptException interrupt -> ": the thread was interrupted";
            case AccessDeniedException denied -> ": permission denied" + place(denied, file);
            case NoSuchFileException missing -> ": " + missing(missing, file);
            case NotDirectoryException folder -> ": " + folder.getFile() + " is no folder";
            case FileSystemException other
            when other.getReason() != null -> ": " + other.getReason() + place(other, file);
            default -> ": " + (cause.getMessage() == null ? cause.toString() : cause.getMessage());
        };
    }

    private static String place(FileSystemException cause, Path file) {
        return cause.getFile() == null || cause.getFile().equals(file.toString()) ? "" : " for " + cause.getFile();
    }

    private static String missing(NoSuchFileException cause, Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null || Files.isDirectory(folder)
                ? cause.getFile() + " is not there"
                : "there is no folder " + folder;
    }

    private static boolean isFull(IOException cause) {
        String message = String.valueOf(cause.getMessage());
        return message.contains("space") || message.contains("quota");
    }

    private static String free(Path file) {
        @Nullable Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            return "";
        }
        try {
            FileStore store = Files.getFileStore(folder);
            return " (of " + store.getTotalSpace() + " bytes of that disk " + store.getUsableSpace() + " are free)";
        } catch (IOException e) {
            return ""; // the failure itself is reported
        }
    }
}
