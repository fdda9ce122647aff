package dev.jacquard.devices.cuda;

import dev.jacquard.base.foreign.Found;
import dev.jacquard.base.foreign.LibrarySearch;
import dev.jacquard.base.foreign.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The vendor's libraries as this process finds them, each on first use. Of several versions, that of the driver is
 * preferred, then older ones, which it runs as well, then newer ones.
 */
final class CudaLibraries {
    private static final String TOOLKIT =
            "install the CUDA toolkit, or add the folder that has it to LD_LIBRARY_PATH or set CUDA_HOME";

    /** Major versions of toolkits, newest first. */
    private static final int[] MAJORS = {13, 12, 11};

    private CudaLibraries() {}

    static Found<Driver> driver() {
        return OfDriver.FOUND;
    }

    static Found<Nvrtc> nvrtc() {
        return OfNvrtc.FOUND;
    }

    static Found<NativeLibrary> cublas() {
        // Loaded before the libraries that need it, for folders where they would not find it themselves.
        Found<NativeLibrary> needed = find("libcublasLt", "13", "12", "11");
        return needed.thing() == null ? needed : find("libcublas", "13", "12", "11");
    }

    static Found<NativeLibrary> cufft() {
        return find("libcufft", "12", "11", "10");
    }

    static Found<NativeLibrary> cusolver() {
        Found<NativeLibrary> blas = cublas();
        if (blas.thing() == null) {
            return blas;
        }
        find("libnvJitLink", "13", "12", "12"); // Toolkits of version 11 have none, and need none.
        Found<NativeLibrary> sparse = find("libcusparse", "12", "12", "11");
        return sparse.thing() == null ? sparse : find("libcusolver", "12", "11", "11");
    }

    /**
     * File names of a library.
     *
     * @param suffixes of the names that toolkits of {@link #MAJORS} have for it, in that order
     * @param driver the driver's major version; 0 when unknown
     */
    static List<String> names(String library, int driver, String... suffixes) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < MAJORS.length; i++) {
            if (driver == 0 || MAJORS[i] <= driver) {
                names.add(library + ".so." + suffixes[i]);
            }
        }
        for (int i = MAJORS.length - 1; i >= 0; i--) {
            if (driver != 0 && MAJORS[i] > driver) {
                names.add(library + ".so." + suffixes[i]);
            }
        }
        names.add(library + ".so");
        return names.stream().distinct().toList();
    }

    private static LibrarySearch search(List<String> names) {
        return search(names, System.getenv(), System.getProperty("os.arch", ""));
    }

    /** Returns a search in the folders in which drivers and toolkits put their libraries, the user's first. */
    static LibrarySearch search(List<String> names, Map<String, String> environment, String architecture) {
        String targets = "targets/" + (architecture.equals("aarch64") ? "sbsa-linux" : "x86_64-linux") + "/lib";
        return LibrarySearch.named(names)
                .inFoldersOf(environment, "CUDA_HOME", "lib64", targets)
                .inFoldersOf(environment, "CUDA_PATH", "lib64", targets)
                .in(
                        Path.of("/usr/local/cuda/lib64"),
                        Path.of("/usr/local/cuda", targets),
                        Path.of("/usr/local/nvidia/lib64"),
                        Path.of("/usr/lib/wsl/lib"));
    }

    private static Found<NativeLibrary> find(String library, String... suffixes) {
        return search(names(library, driverMajor(), suffixes)).help(TOOLKIT).find();
    }

    private static int driverMajor() {
        Driver driver = driver().thing();
        if (driver == null) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(ValueLayout.JAVA_INT);
            int status = driver.driverGetVersion(version.address());
            return status == CudaStatus.SUCCESS ? version.get(ValueLayout.JAVA_INT, 0) / 1000 : 0;
        }
    }

    private static final class OfDriver {
        static final Found<Driver> FOUND = search(List.of("libcuda.so.1", "libcuda.so"))
                .help("install NVIDIA's driver")
                .find()
                .map(Driver::of);
    }

    private static final class OfNvrtc {
        static final Found<Nvrtc> FOUND = find("libnvrtc", "13", "12", "11.2").map(Nvrtc::new);
    }
}
