package dev.jacquard.libraries.openblas;

import dev.jacquard.base.foreign.NativeEnvironment;
import dev.jacquard.base.foreign.NativeLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells an old OpenBLAS which kernels this processor runs, where it would mistake it.
 *
 * <p>Before 0.3.25 OpenBLAS goes by a list of models (its change log, 0.3.25: "fixed capability-based fallback
 * selection for unknown cpus"). It takes a processor of AMD that is newer than itself for a Haswell, without AVX-512:
 * on a Zen 5, Debian's 0.3.21 reaches half the rate. It takes one of Intel for a Prescott, without AVX: on an Emerald
 * Rapids a fifth of the rate, and dot products that depend on addresses. All that the kernels of {@code SkylakeX} and
 * {@code Haswell} need is listed by {@code /proc/cpuinfo}. Intel's processors up to Rocket Lake are left alone: they
 * are known to the versions of their time, and some have their own kernels, which none of AMD's with AVX-512 has.
 *
 * <p>OpenBLAS reads {@code OPENBLAS_CORETYPE} from the C environment once, while it is being loaded. So the variable is
 * set before and removed after: another OpenBLAS of the process and its children do not see it. One that the user has
 * set stays.
 *
 * @param cpuinfo {@code /proc/cpuinfo}, or nothing where there is none
 * @param environment the environment of this process
 */
record CoreType(List<String> cpuinfo, Map<String, String> environment) {
    private static final String VARIABLE = "OPENBLAS_CORETYPE";
    private static final Set<String> SKYLAKE_X = Set.of("avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl");

    private static final Set<String> HASWELL = Set.of("avx2", "fma");

    /** The family of Intel's processors since 1995. */
    private static final int FAMILY = 6;

    /** Rocket Lake: the models of Alder Lake have smaller numbers. */
    private static final int NEWEST_KNOWN_MODEL = 0xA7;

    /** As in {@code libopenblasp-r0.3.21.so}. */
    private static final Pattern VERSION = Pattern.compile("-r0\\.(\\d+)\\.(\\d+)");

    /** The first version, as minor and patch, that goes by the features of a processor. */
    private static final int KNOWING_MINOR = 3;

    private static final int KNOWING_PATCH = 25;

    static CoreType ofThisMachine() {
        List<String> lines;
        try {
            lines = Files.readAllLines(Path.of("/proc/cpuinfo"));
        } catch (IOException noLinux) {
            lines = List.of();
        }
        return new CoreType(lines, System.getenv());
    }

    /** Loads {@code file} for the life of the process, with the core type that it needs. */
    NativeLibrary load(Path file) {
        Optional<String> needed = neededBy(realName(file));
        needed.ifPresent(type -> NativeEnvironment.set(VARIABLE, type));
        try {
            return NativeLibrary.load(file);
        } finally {
            if (needed.isPresent()) {
                NativeEnvironment.remove(VARIABLE);
            }
        }
    }

    /**
     * The core type that an OpenBLAS in a file of this name must be given; empty if none, or if its version is not in
     * its name.
     */
    Optional<String> neededBy(String fileName) {
        Matcher version = VERSION.matcher(fileName);
        if (environment.containsKey(VARIABLE) || !version.find() || knowsAll(version)) {
            return Optional.empty();
        }
        boolean isAmd = value("vendor_id").equals("AuthenticAMD");
        boolean isNew = isNewIntel();
        Set<String> flags = new HashSet<>(Arrays.asList(value("flags").split(" ")));
        if ((isAmd || isNew) && flags.containsAll(SKYLAKE_X)) {
            return Optional.of("SkylakeX");
        }
        return isNew && flags.containsAll(HASWELL) ? Optional.of("Haswell") : Optional.empty();
    }

    /** Returns true for a processor of Intel that no version which goes by models knows. */
    private boolean isNewIntel() {
        try {
            return value("vendor_id").equals("GenuineIntel")
                    && (Integer.parseInt(value("cpu family")) != FAMILY
                            || Integer.parseInt(value("model\t")) > NEWEST_KNOWN_MODEL);
        } catch (NumberFormatException unknown) {
            return false;
        }
    }

    private static boolean knowsAll(Matcher version) {
        int minor = Integer.parseInt(version.group(1));
        int patch = Integer.parseInt(version.group(2));
        return minor > KNOWING_MINOR || (minor == KNOWING_MINOR && patch >= KNOWING_PATCH);
    }

    /** The first processor's value of {@code key}. */
    private String value(String key) {
        return cpuinfo.stream()
                .filter(line -> line.startsWith(key))
                .findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .orElse("");
    }

    private static String realName(Path file) {
        try {
            return String.valueOf(file.toRealPath().getFileName());
        } catch (IOException gone) {
            return String.valueOf(file.getFileName()); // Loading reports the error.
        }
    }
}
