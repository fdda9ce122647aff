package dev.jacquard.apps.known;

import dev.jacquard.components.component.Application;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.memory.device.DeviceOffer;
import dev.jacquard.memory.device.Devices;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The component {@code study}: measurements as tables and charts. {@code threads} are the times of a step of
 * {@code heat}, and of {@code transport} uncoupled and coupled, for each mixture of tasks at a time and workers for
 * their loops; {@code devices} the times of an operator and of a graph on the host and on devices.
 *
 * <p>Source: the expressions thesis, section 4.1.1, figures 4.3 and 4.4, and section 4.1.4, figures 4.9 and 4.10.
 */
public final class Study implements Application {
    private static final String EMULATED = "emulated0";
    private static final Setting<Kind> STUDY = Setting.required(
            "study",
            Setting.Type.choice(Kind.class),
            "threads: steps by tasks at a time and workers of their loops; devices: an operator and a graph on the host"
                    + " and on devices");
    private static final Setting<Integer> EQUATIONS = Setting.optional(
            "equations", Setting.Type.integer(2, 256), "16", "threads: the number of scalars of transport");
    private static final Setting<Integer> WORKERS = Setting.optional(
            "workers", Setting.Type.integerOrAuto(1, 1024), Setting.Type.AUTO, "threads; auto is one per processor");
    private static final Setting<Integer> ROUNDS = Setting.optional(
            "rounds",
            Setting.Type.integer(1, 1000),
            "11",
            "how often everything is measured; all take turns, and medians count");
    private static final Setting<Double> MILLIS = Setting.optional(
            "millis",
            Setting.Type.number(0, 60_000),
            "40",
            "threads: the least time of one measurement, in milliseconds");
    private static final Setting<List<String>> DEVICES = Setting.optional(
            "devices",
            new Setting.Type<>(
                    "auto, or names with commas that './jacquard machine' shows, or emulated0", Study::words),
            Setting.Type.AUTO,
            "devices: the devices; auto is an emulated one and all of this machine");
    private static final Setting<Integer> LEAST = Setting.optional(
            "points.least", Setting.Type.integer(64, 1 << 30), "32768", "devices: the points of the smallest field");
    private static final Setting<Integer> MOST = Setting.optional(
            "points.most", Setting.Type.integer(64, 1 << 30), "16777216", "devices: the points of the largest field");
    private static final Setting<Double> SECONDS = Setting.optional(
            "seconds",
            Setting.Type.number(0, 3_600),
            "20",
            "devices: after which a size is measured no more, however few rounds it had");

    /** The studies. */
    private enum Kind {
        THREADS,
        DEVICES
    }

    @Override
    public String name() {
        return "study";
    }

    @Override
    public String description() {
        return "measures threads for tasks and operators, or host and devices; writes tables and charts";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(STUDY, Measurement.CELLS, EQUATIONS, DEVICES, LEAST, MOST, WORKERS, ROUNDS, MILLIS, SECONDS);
    }

    @Override
    public boolean computesInLanes() {
        return true;
    }

    @Override
    public Report run(Job run) throws IOException {
        return switch (run.settings().get(STUDY)) {
            case THREADS -> threads(run);
            case DEVICES -> devices(run);
        };
    }

    private static List<String> words(String text) {
        return text.equals(Setting.Type.AUTO) ? List.of() : List.of(text.strip().split("\\s*,\\s*", -1));
    }

    /** Returns the sides of cubes within these numbers of points, each a half or a third longer than the last. */
    private static List<Integer> sides(int least, int most) {
        List<Integer> sides = new ArrayList<>();
        for (int power = 4; power <= 1 << 10; power *= 2) {
            for (int side : new int[] {power, power + power / 2}) {
                long points = (long) side * side * side;
                if (points >= least && points <= most) {
                    sides.add(side);
                }
            }
        }
        return sides;
    }

    private Report devices(Job run) throws IOException {
        Settings settings = run.settings();
        List<Integer> sides = sides(settings.get(LEAST), settings.get(MOST));
        if (sides.isEmpty()) {
            throw new InputException("between 'points.least' and 'points.most' there is no cube: widen the range");
        }
        Map<String, Optional<DeviceOffer>> devices = new LinkedHashMap<>();
        List<DeviceOffer> known = Devices.discover().offers();
        Settings.Given<List<String>> given = settings.given(DEVICES);
        if (given.value().isEmpty()) {
            devices.put(EMULATED, Optional.empty());
            known.forEach(offer -> devices.put(offer.name(), Optional.of(offer)));
        }
        for (String name : given.value()) {
            Optional<DeviceOffer> offer =
                    known.stream().filter(one -> one.name().equals(name)).findFirst();
            if (offer.isEmpty() && !name.equals(EMULATED)) {
                throw given.error("there is no device \"" + name + "\", but " + EMULATED + " and "
                        + known.stream().map(DeviceOffer::name).toList());
            }
            devices.put(name, offer);
        }
        DeviceStudy study =
                new DeviceStudy(run, settings.get(WORKERS), settings.get(ROUNDS), (long) (settings.get(SECONDS) * 1e9));
        devices.forEach((name, offer) -> study.run(name, offer, sides));
        return new DeviceReport(study.rows(), study.skipped()).write(name(), run.output());
    }

    private Report threads(Job run) throws IOException {
        int[] cells = run.settings().get(Measurement.CELLS);
        int equations = run.settings().get(EQUATIONS);
        Map<String, KnownSolution> problems = new LinkedHashMap<>();
        problems.put("heat", new KnownHeat(cells.length, KnownHeat.Walls.DIRICHLET));
        problems.put("transport", new KnownTransport(cells.length, equations, KnownTransport.Coupling.NONE));
        problems.put("transport-coupled", new KnownTransport(cells.length, equations, KnownTransport.Coupling.FULL));
        ThreadStudy study = new ThreadStudy(
                run,
                Measurement.grid(cells),
                run.settings().get(WORKERS),
                run.settings().get(ROUNDS),
                (long) (run.settings().get(MILLIS) * 1e6));
        List<String> lines = new ArrayList<>();
        List<Map<String, Object>> findings = new ArrayList<>();
        Table table = new Table("problem", "tasks", "operators", "rule", "ms_per_step", "least", "most", "to_best");
        for (Map.Entry<String, KnownSolution> problem : problems.entrySet()) {
            Mixtures finding = study.run(problem.getKey(), problem.getValue());
            finding.addTo(table);
            lines.add(finding.line());
            findings.add(finding.values());
        }
        table.write(run.output().file("threads.csv"));
        lines.add("each mixture: threads.csv; charts: " + String.join(", ", study.charts()));
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("component", name());
        values.put("workers", study.workers());
        values.put("problems", findings);
        return new Report(lines, values);
    }
}
