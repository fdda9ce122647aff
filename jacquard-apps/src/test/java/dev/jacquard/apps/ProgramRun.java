package dev.jacquard.apps;

import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Cancellation;
import dev.jacquard.components.program.OutputFolder;
import dev.jacquard.components.program.Progress;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.run.Catalog;
import dev.jacquard.components.run.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A program of components that was run as the command line does.
 *
 * @param report what it told
 * @param out where its files are
 */
public record ProgramRun(Report report, Path out) {
    private static final Catalog CATALOG = Catalog.of(List.of());

    /** Runs {@code examples/NAME.yaml}. */
    public static ProgramRun example(String name, RunMode mode, int workers, Path out, String... overrides)
            throws Exception {
        return of(Path.of("../examples").resolve(name + ".yaml"), mode, workers, out, overrides);
    }

    /** Runs a file. */
    public static ProgramRun of(Path file, RunMode mode, int workers, Path out, String... overrides) throws Exception {
        return of(file, mode, workers, out, new Cancellation(), false, overrides);
    }

    /** Runs {@code examples/NAME.yaml} on ranks inside this process. */
    public static ProgramRun onRanks(String name, RunMode mode, int ranks, Path out, String... overrides)
            throws Exception {
        return ofRanks(Path.of("../examples").resolve(name + ".yaml"), mode, ranks, out, overrides);
    }

    /** Runs a file on ranks inside this process. */
    public static ProgramRun ofRanks(Path file, RunMode mode, int ranks, Path out, String... overrides)
            throws Exception {
        List<String> all = new ArrayList<>(Arrays.asList(overrides));
        return of(
                file, new Program.Choices(all, TestData.root(), CATALOG, mode, ranks), out, new Cancellation(), false);
    }

    /** Runs a file until it is cancelled, or goes on with it. */
    static ProgramRun of(
            Path file,
            RunMode mode,
            int workers,
            Path out,
            Cancellation cancellation,
            boolean resumes,
            String... overrides)
            throws Exception {
        List<String> all = new ArrayList<>(Arrays.asList(overrides));
        all.add("workers=" + workers);
        return of(file, new Program.Choices(all, TestData.root(), CATALOG, mode), out, cancellation, resumes);
    }

    private static ProgramRun of(
            Path file, Program.Choices choices, Path out, Cancellation cancellation, boolean resumes) throws Exception {
        Program program = Program.load(file, choices);
        try (OutputFolder output = OutputFolder.open(out)) {
            Report report = program.run(new Program.Surroundings(output, Progress.NONE, cancellation, resumes));
            output.commit();
            return new ProgramRun(report, out);
        }
    }

    /** Returns the results, by the names of components. */
    public Map<String, Object> results() {
        return map(Objects.requireNonNull(report.values().get("results")));
    }

    /** Returns a finding of a component that tells several. */
    public Object finding(String component, String name) {
        Object findings = Objects.requireNonNull(results().get(component), component);
        return Objects.requireNonNull(map(findings).get(name), name);
    }

    /** Returns a finding that is a number. */
    public double number(String component, String name) {
        return ((Number) finding(component, name)).doubleValue();
    }

    /** Returns an entry of the report that is a list. */
    public List<?> list(String name) {
        return (List<?>) Objects.requireNonNull(report.values().get(name), name);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    /**
     * Returns a digest of each file, by its path in the output folder.
     *
     * @param without the names of files that are left out
     */
    public Map<String, String> digests(Set<String> without) throws Exception {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(out)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!without.contains(String.valueOf(file.getFileName()))) {
                    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
                    all.put(out.relativize(file).toString(), HexFormat.of().formatHex(digest));
                }
            }
        }
        return all;
    }
}
