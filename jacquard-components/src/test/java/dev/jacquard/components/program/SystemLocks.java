package dev.jacquard.components.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The locks that processes hold on files, as the system tells them. */
final class SystemLocks {
    static final Path FILE = Path.of("/proc/locks");

    private SystemLocks() {}

    /** True if one look finds {@code entry}, which it may miss while other processes take locks, or give some back. */
    static boolean have(String entry) {
        try {
            return Files.readString(FILE).contains(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
