package dev.jacquard.devices.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Looks for shared libraries: on the loader's path first, where users say what they want ({@code LD_LIBRARY_PATH}),
 * then in folders.
 *
 * @param folders where else, those to be preferred first
 */
record LibrarySearch(List<Path> folders) {
    LibrarySearch {
        folders = List.copyOf(folders);
    }

    /** The folders in which drivers and toolkits put their libraries. */
    static LibrarySearch ofThisMachine() {
        return of(System.getenv(), System.getProperty("os.arch", ""));
    }

    static LibrarySearch of(Map<String, String> environment, String architecture) {
        String target = architecture.equals("aarch64") ? "sbsa-linux" : "x86_64-linux";
        List<Path> folders = new ArrayList<>();
        for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
            String home = environment.get(variable);
            if (home != null && !home.isBlank()) {
                folders.add(Path.of(home, "lib64"));
                folders.add(Path.of(home, "targets", target, "lib"));
            }
        }
        folders.add(Path.of("/usr/local/cuda/lib64"));
        folders.add(Path.of("/usr/local/cuda/targets", target, "lib"));
        folders.add(Path.of("/usr/local/nvidia/lib64"));
        folders.add(Path.of("/usr/lib/wsl/lib"));
        return new LibrarySearch(folders);
    }

    /**
     * The first of some names that can be loaded.
     *
     * @param names file names, those to be preferred first
     * @param help what to do when there is none
     */
    Found<SharedLibrary> find(List<String> names, String help) {
        List<String> unfit = new ArrayList<>();
        for (String name : names) {
            try {
                return Found.of(new SharedLibrary(name, SymbolLookup.libraryLookup(name, Arena.global())));
            } catch (IllegalArgumentException notOnThePath) {
                // The folders come next; the reason names all.
            }
            for (Path folder : folders) {
                Path file = folder.resolve(name);
                if (Files.exists(file)) {
                    try {
                        return Found.of(
                                new SharedLibrary(file.toString(), SymbolLookup.libraryLookup(file, Arena.global())));
                    } catch (IllegalArgumentException broken) {
                        unfit.add(file + " cannot be loaded: " + broken.getMessage());
                    }
                }
            }
        }
        String where = folders.isEmpty()
                ? ""
                : " or in "
                        + String.join(", ", folders.stream().map(Path::toString).toList());
        String why = "none of " + String.join(", ", names) + " is on the loader's path" + where;
        return Found.absent((unfit.isEmpty() ? why : String.join("; ", unfit) + "; " + why) + "; " + help);
    }
}
