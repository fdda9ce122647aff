package dev.jacquard.base.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The folder of files that the user's programs keep for later ones: the system property {@code jacquard.cache}; else
 * {@code jacquard} in {@code XDG_CACHE_HOME}, if that is an absolute path, or in {@code .cache} of the home folder. It
 * need not exist.
 */
public final class CacheFolder {
    private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");

    private CacheFolder() {}

    /** Returns the folder. */
    public static Path ofUser() {
        String chosen = System.getProperty("jacquard.cache");
        if (chosen != null) {
            return Path.of(chosen);
        }
        String caches = System.getenv("XDG_CACHE_HOME");
        if (caches != null && Path.of(caches).isAbsolute()) {
            return Path.of(caches, "jacquard");
        }
        String home = System.getenv("HOME");
        return Path.of(home != null ? home : System.getProperty("user.home", "."), ".cache", "jacquard");
    }

    /**
     * Returns the file {@code what-HOST.tsv} in the folder, HOST being the name of this machine: machines may share the
     * folder.
     */
    public static Path ofMachine(String what) {
        return ofUser().resolve(what + "-" + machine() + ".tsv");
    }

    private static String machine() {
        try {
            return Files.isReadable(HOSTNAME) ? Files.readString(HOSTNAME).strip() : "local";
        } catch (IOException e) {
            return "local";
        }
    }
}
