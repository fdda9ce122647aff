package dev.jacquard.bench.graphs;

import dev.jacquard.bench.rival.Compilation;
import dev.jacquard.bench.workload.Workload.Absence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A system that our C++ programs use. Threads: any. */
enum Rival {
    /** oneTBB's flow graph: edges given. Its threads sleep when there is nothing to do. */
    ONETBB("libtbb-dev", "-ltbb"),
    /** OpenMP's tasks with {@code depend}: edges inferred. */
    OPENMP("g++", "-fopenmp") {
        @Override
        Map<String, String> environment(String variant) {
            return variant.equals(DEFAULT) ? Map.of() : Map.of("OMP_WAIT_POLICY", "passive");
        }
    },
    /** StarPU's tasks on data handles: edges inferred. */
    STARPU("libstarpu-dev", "") {
        @Override
        Map<String, String> environment(String variant) {
            return Map.of("STARPU_SILENT", "1", "STARPU_CALIBRATE", "0");
        }

        @Override
        List<String> flags() {
            try (Stream<Path> versions = Files.list(STARPU_HEADERS)) { // headers and library carry the version
                Path newest = versions.max(Comparator.naturalOrder()).orElse(STARPU_HEADERS);
                return List.of("-I" + newest, "-lstarpu-" + newest.getFileName());
            } catch (IOException _) {
                return List.of("-lstarpu-1.3"); // the compiler will say that there is no header
            }
        }
    },
    /** Taskflow's prebuilt graphs: edges given. Headers alone, from the folder that TASKFLOW_HOME names. */
    TASKFLOW("", "") {
        @Override
        List<String> flags() {
            String home = System.getenv("TASKFLOW_HOME");
            List<String> options = List.of("-std=c++20");
            return home == null ? options : List.of("-std=c++20", "-I" + home);
        }

        @Override
        String remedy() {
            return "set TASKFLOW_HOME to a folder that holds taskflow/taskflow.hpp";
        }
    };

    /** A variant of OpenMP, as it is without any setting: idle threads spin for a while before they sleep. */
    public static final String DEFAULT = "default";

    private static final Path STARPU_HEADERS = Path.of("/usr/include/starpu");

    private final String debianPackage;
    private final String flag;

    Rival(String debianPackage, String flag) {
        this.debianPackage = debianPackage;
        this.flag = flag;
    }

    /** The settings that its program runs with, in that variant. */
    Map<String, String> environment(String variant) {
        return Map.of();
    }

    /** For the compiler, after the source. */
    List<String> flags() {
        return List.of(flag);
    }

    /** Returns the sources of its program. */
    Compilation.Source source() {
        return new Compilation.Source(Rival.class, system(), List.of("rival.hpp"), flags());
    }

    /** The name in reports. */
    public String system() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The reason why it cannot be run here, if so. The first call compiles, which takes a second or two. */
    public Optional<Absence> absence() {
        return Optional.ofNullable(Compilation.of(source()).problem())
                .map(problem -> new Absence(system(), problem, remedy()));
    }

    /** Returns the reasons why some of {@code rivals} cannot be run here. */
    public static List<Absence> absences(List<Rival> rivals) {
        return rivals.stream().map(Rival::absence).flatMap(Optional::stream).toList();
    }

    /** Says how to make it present. */
    String remedy() {
        return Compilation.REMEDY + " " + debianPackage;
    }

    /**
     * Starts its program.
     *
     * @param variant how it does the work, where it can do it in several ways
     * @param body the work of a task: {@code count}, {@code check}, {@code grain} or {@code point}
     * @param labels further lists, of each task's step and point; empty elsewhere
     * @throws IllegalStateException when it is absent
     */
    RivalProcess start(String variant, int workers, String body, Shape shape, int[]... labels) throws IOException {
        Compilation made = Compilation.of(source());
        Path program = made.program();
        if (program == null) {
            throw new IllegalStateException(system() + " is absent: " + made.problem());
        }
        return RivalProcess.start(this, program, variant, workers, body, shape, labels);
    }
}
