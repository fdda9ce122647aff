package dev.jacquard.tools;

import dev.jacquard.base.text.NearestName;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.engine.model.PowerFit;
import dev.jacquard.engine.model.TimeFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the learned times of this machine. */
@Command(
        name = "models",
        description = "Show how long tasks and kernels take here, as earlier sessions have learned it.",
        footer = {"", "docs/placement.md says what is learned, and where it is kept."})
final class ModelsCommand extends Subcommand {
    private static final String[] BYTES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    private static final int BITS_OF_UNIT = 10;

    @Option(
            names = "--forget",
            paramLabel = "NAME",
            description = "Remove the times of a task or kernel first; more than once for several.")
    private final List<String> forgotten = new ArrayList<>();

    private final @Nullable TimeFile times;

    /** Creates the command on a file; null if nothing is kept. */
    ModelsCommand(Environment environment, @Nullable TimeFile times) {
        super(environment);
        this.times = times;
    }

    /**
     * The sizes of a name on a target.
     *
     * @param fit the time over the size; null if the sizes do not agree on one
     */
    private record Model(
            String name, String target, @Nullable PowerFit fit, List<TimeFile.Entry> sizes) {}

    @Override
    public Integer call() throws IOException {
        if (times == null) {
            throw new InputException("no times are kept, since jacquard.times or JACQUARD_TIMES is none:"
                    + " leave both out, or name a file");
        }
        forget(times, read(times));
        List<Model> models = models(read(times));
        print(() -> Report.json(document(times, models)), () -> lines(times, models));
        return 0;
    }

    private static List<TimeFile.Entry> read(TimeFile times) {
        try {
            return times.read();
        } catch (IOException e) {
            throw new InputException(String.valueOf(e.getMessage()), e);
        }
    }

    private void forget(TimeFile times, List<TimeFile.Entry> known) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        known.forEach(entry -> names.add(entry.name()));
        for (String name : forgotten) {
            if (!names.contains(name)) {
                throw new InputException("--forget " + name + ": no times of that name are kept in " + times.path()
                        + NearestName.hint(name, names));
            }
        }
        for (String name : forgotten) {
            boolean _ = times.forget(name); // another process may have removed it
        }
    }

    private static List<Model> models(List<TimeFile.Entry> entries) {
        Map<List<String>, List<TimeFile.Entry>> byTarget = new LinkedHashMap<>();
        for (TimeFile.Entry entry : entries) {
            byTarget.computeIfAbsent(List.of(entry.name(), entry.target()), any -> new ArrayList<>())
                    .add(entry);
        }
        List<Model> models = new ArrayList<>();
        byTarget.forEach((key, sizes) -> models.add(new Model(
                key.getFirst(),
                key.getLast(),
                PowerFit.of(
                        sizes.stream().mapToDouble(TimeFile.Entry::bytes).toArray(),
                        sizes.stream().mapToDouble(TimeFile.Entry::meanNanos).toArray()),
                sizes)));
        return models;
    }

    private static Map<String, Object> document(TimeFile times, List<Model> models) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("file", times.path().toString());
        document.put("models", models.stream().map(ModelsCommand::document).toList());
        return document;
    }

    private static Map<String, Object> document(Model model) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", model.name);
        document.put("target", model.target);
        if (model.fit != null) {
            Map<String, Object> fit = new LinkedHashMap<>();
            fit.put("a", model.fit.a());
            fit.put("b", model.fit.b());
            fit.put("c", model.fit.c());
            document.put("fit", fit);
        }
        List<Map<String, Object>> sizes = new ArrayList<>();
        for (TimeFile.Entry entry : model.sizes) {
            Map<String, Object> size = new LinkedHashMap<>();
            size.put("sizeClass", entry.sizeClass());
            size.put("bytes", entry.bytes());
            size.put("count", entry.count());
            size.put("meanNanos", entry.meanNanos());
            size.put("deviationNanos", entry.deviationNanos());
            sizes.add(size);
        }
        document.put("sizes", sizes);
        return document;
    }

    private static List<String> lines(TimeFile times, List<Model> models) {
        List<String> lines = new ArrayList<>();
        if (models.isEmpty()) {
            lines.add("no times are kept in " + times.path());
        }
        for (Model model : models) {
            PowerFit fit = model.fit;
            lines.add(model.name + " on " + model.target
                    + (fit == null
                            ? ""
                            : String.format(
                                    Locale.ROOT, ": %.3g ns · bytes^%.2f + %s", fit.a(), fit.b(), time(fit.c()))));
            for (TimeFile.Entry entry : model.sizes) {
                lines.add(String.format(
                        Locale.ROOT,
                        "  %-16s %s ± %s, %d runs",
                        size(entry.sizeClass()),
                        time(entry.meanNanos()),
                        time(entry.deviationNanos()),
                        entry.count()));
            }
        }
        return lines;
    }

    /** The sizes of a class: below 2 to the power of its number. */
    private static String size(int sizeClass) {
        return sizeClass == 0
                ? "any size"
                : "below " + (1L << (sizeClass % BITS_OF_UNIT)) + " " + BYTES[sizeClass / BITS_OF_UNIT];
    }

    private static String time(double nanos) {
        return nanos < 1e3
                ? text(nanos, "ns")
                : nanos < 1e6
                        ? text(nanos / 1e3, "µs")
                        : nanos < 1e9 ? text(nanos / 1e6, "ms") : text(nanos / 1e9, "s");
    }

    private static String text(double value, String unit) {
        return String.format(Locale.ROOT, "%.2f %s", value, unit);
    }
}
