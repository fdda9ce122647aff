package dev.jacquard.mpi.library;

import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.foreign.LibrarySearch;
import dev.jacquard.base.foreign.NativeLibrary;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The implementations with files that are known by name. Any other is given by its file. */
enum Implementation {
    OPEN_MPI("openmpi", "Open MPI", "mpirun.openmpi, or the mpirun of Open MPI") {
        @Override
        LibrarySearch search(Map<String, String> environment) {
            return LibrarySearch.named("libmpi.so.40", "libmpi.so.80", "libmpi.so")
                    .inFoldersOf(environment, "OPAL_PREFIX", "lib", "lib64")
                    .inFoldersOf(environment, "MPI_HOME", "lib", "lib64")
                    .in(
                            Path.of("/usr/lib64/openmpi/lib"),
                            Path.of("/usr/lib/x86_64-linux-gnu/openmpi/lib"),
                            Path.of("/usr/lib/aarch64-linux-gnu/openmpi/lib"))
                    .help("on Debian: apt-get install openmpi-bin");
        }
    },
    MPICH("mpich", "MPICH", "mpirun.mpich, or the mpiexec of MPICH") {
        @Override
        LibrarySearch search(Map<String, String> environment) {
            return LibrarySearch.named("libmpich.so.12", "libmpi.so.12", "libmpich.so")
                    .inFoldersOf(environment, "MPI_HOME", "lib", "lib64")
                    .inFoldersOf(environment, "I_MPI_ROOT", "lib", "lib/release")
                    .in(Path.of("/usr/lib64/mpich/lib"))
                    .help("on Debian: apt-get install mpich");
        }
    },
    STANDARD("abi", "the standard ABI", "the launcher of that MPI") {
        @Override
        LibrarySearch search(Map<String, String> environment) {
            return LibrarySearch.named("libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.so")
                    .inFoldersOf(environment, "MPI_HOME", "lib", "lib64");
        }
    };

    private final String key;
    private final String title;
    private final String launcher;

    Implementation(String key, String title, String launcher) {
        this.key = key;
        this.title = title;
        this.launcher = launcher;
    }

    /** Returns the name by which users choose it. */
    public String key() {
        return key;
    }

    /** Returns the name for messages. */
    public String title() {
        return title;
    }

    /** Returns the command that starts its processes, for messages. */
    public String launcher() {
        return launcher;
    }

    abstract LibrarySearch search(Map<String, String> environment);

    /** Loads the first of some implementations that is there; else the reason names all. */
    static Found<NativeLibrary> first(List<Implementation> all, Map<String, String> environment) {
        StringBuilder reasons = new StringBuilder();
        for (Implementation each : all) {
            Found<NativeLibrary> found = each.search(environment).find();
            if (found.thing() != null) {
                return found;
            }
            reasons.append(reasons.isEmpty() ? "" : "; ")
                    .append(each.title)
                    .append(": ")
                    .append(found.reason());
        }
        return Found.absent(reasons.toString());
    }
}
