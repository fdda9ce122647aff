package dev.jacquard.libraries.openblas;

import dev.jacquard.base.foreign.LibrarySearch;
import dev.jacquard.base.foreign.NativeLibrary;
import dev.jacquard.numerics.openblas.OpenBlasProvider;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds and loads the system's library. Its file is looked for first: a loader that is asked for
 * {@code libopenblas.so.0} gives whatever library of that name the process has loaded already, which may be the one
 * from Maven.
 */
final class SystemLibrary {
    /**
     * Besides the Java library path, which has {@code LD_LIBRARY_PATH} and {@code /usr/lib64}: Debian's and macOS's.
     */
    private static final List<String> FOLDERS = List.of(
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
            "/usr/local/lib",
            "/opt/homebrew/opt/openblas/lib",
            "/usr/local/opt/openblas/lib");

    private SystemLibrary() {}

    static NativeLibrary load() {
        Stream<String> path = Stream.of(
                        System.getProperty("java.library.path", "").split(File.pathSeparator))
                .filter(folder -> folder.startsWith("/"));
        return LibrarySearch.named(
                        "libopenblas.so.0",
                        "libopenblasp.so.0",
                        "libopenblas.so",
                        "libopenblas.0.dylib",
                        "libopenblas.dylib")
                .in(Stream.concat(path, FOLDERS.stream())
                        .map(Path::of)
                        .distinct()
                        .toList())
                .withFoldersFirst()
                .help("on Debian: apt-get install libopenblas0-pthread")
                .find(CoreType.ofThisMachine()::load)
                .orThrow();
    }

    /** The OpenBLAS of the operating system, where it is installed. */
    public static final class Provider extends OpenBlasProvider {
        /**
         * For {@link java.util.ServiceLoader}. Ranks below the one from Maven, which is newer than distributions' are.
         */
        public Provider() {
            super("openblas-system", 0, SystemLibrary::load);
        }
    }
}
