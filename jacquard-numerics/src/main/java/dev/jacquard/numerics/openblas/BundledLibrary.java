package dev.jacquard.numerics.openblas;

import dev.jacquard.base.foreign.LibrarySearch;
import dev.jacquard.base.foreign.NativeLibrary;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The native library in the jar {@code org.bytedeco:openblas}, unpacked and loaded.
 *
 * <p>It needs GCC's runtime libraries, which lie next to it in the jar. They are loaded first, since the loader takes a
 * needed library that is loaded already by its name, and looks into no folder of ours for the libraries that these need
 * themselves.
 */
final class BundledLibrary {
    private static final String ARTIFACT = "org.bytedeco:openblas:0.3.31-1.5.13";

    private static final String LIBRARY = "libopenblas.so.0";

    /** GCC's unwinder is on nearly every system, and a process should have only one. */
    private static final String UNWINDER = "libgcc_s.so.1";

    /** In the order in which they are loaded: each needs some of the ones before it. Not every platform has all. */
    private static final List<String> FILES = List.of("libquadmath.so.0", UNWINDER, "libgfortran.so.5", LIBRARY);

    private BundledLibrary() {}

    static NativeLibrary load() {
        String folder = "org/bytedeco/openblas/"
                + platform(System.getProperty("os.name", ""), System.getProperty("os.arch", "")) + "/";
        List<URL> resources = FILES.stream()
                .map(file -> BundledLibrary.class.getClassLoader().getResource(folder + file))
                .filter(Objects::nonNull)
                .toList();
        if (resources.isEmpty() || !resources.getLast().getPath().endsWith(LIBRARY)) {
            throw new IllegalStateException("no jar on the class path has " + folder + LIBRARY
                    + "; for Linux on x86-64 and ARM Maven has it, in " + ARTIFACT
                    + " with the classifier linux-x86_64 or linux-arm64");
        }
        try {
            Map<String, Path> unpacked = NativeCache.ofUser().unpack(resources);
            return load(unpacked);
        } catch (IOException e) {
            throw new IllegalStateException("its native library cannot be unpacked: " + e, e);
        }
    }

    private static NativeLibrary load(Map<String, Path> unpacked) {
        NativeLibrary last = NativeLibrary.ofC();
        for (Map.Entry<String, Path> file : unpacked.entrySet()) {
            if (!file.getKey().equals(UNWINDER) || !isOnSystem(UNWINDER)) {
                last = NativeLibrary.load(file.getValue());
            }
        }
        return last;
    }

    private static boolean isOnSystem(String file) {
        return LibrarySearch.named(file).find().absence().isEmpty();
    }

    /** The platform as the jar's folders and Maven's classifiers name it. */
    static String platform(String system, String processor) {
        String name = system.toLowerCase(Locale.ROOT);
        String os = name.startsWith("mac") ? "macosx" : name.startsWith("windows") ? "windows" : name;
        return os + "-"
                + switch (processor) {
                    case "amd64", "x86_64" -> "x86_64";
                    case "aarch64" -> "arm64";
                    default -> processor;
                };
    }
}
