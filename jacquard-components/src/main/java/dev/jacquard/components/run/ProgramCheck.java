package dev.jacquard.components.run;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.mesh.Plan;
import dev.jacquard.components.mesh.Plan.Part;
import dev.jacquard.components.mesh.Plan.Plug;
import dev.jacquard.components.mesh.Plan.Wire;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.ProgramFile;
import dev.jacquard.components.program.ProgramFile.Value;
import dev.jacquard.components.program.ProgramText;
import dev.jacquard.components.program.SearchPath;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.run.Program.Choices;
import dev.jacquard.engine.EngineOptions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks a program of components, and collects all that is wrong with it. */
final class ProgramCheck {
    private static final String PROGRAM = "program";
    private static final String MODE = "mode";
    private static final String WORKERS = "workers";
    private static final String WITHIN = "within";
    private static final String TIME_LIMIT = "timeLimit";
    private static final String WEIGHT = "weight";
    private static final String RANKS = "ranks";
    private static final String WEIGHTS = "weights";
    private static final int MOST_RANKS = 1 << 20;
    /** Entries of a component that are not its settings. */
    private static final Set<String> OF_PARTS = Set.of("component", WITHIN, TIME_LIMIT, WEIGHT);

    private static final String EVERY = "checkpoint.every";
    private static final String FOLDER = "checkpoint.folder";
    private static final List<String> OF_PROGRAMS = List.of(PROGRAM, MODE, WORKERS, RANKS, WEIGHTS, EVERY, FOLDER);
    private static final Setting.Type<Double> SECONDS = Setting.Type.number(1e-3, 1e9);
    private static final Setting.Type<RunMode> MODES = Setting.Type.choice(RunMode.class, List.of(RunMode.values()));

    private final Path file;
    private final Choices choices;
    private final List<String> errors = new ArrayList<>();
    /** The seconds of components in an earlier run, by name. */
    private MeasuredWeights measured = MeasuredWeights.NONE;

    ProgramCheck(Path file, Choices choices) {
        this.file = file;
        this.choices = choices;
    }

    /**
     * Checks a program of several components.
     *
     * @throws InputException with all that is wrong, a line each
     */
    ComposedProgram several(ProgramText text) {
        Value single = text.entry("component");
        if (single != null) {
            throw new InputException(
                    single.where() + ": it has both 'component:' and 'components:'; expected one of them");
        }
        errors.addAll(text.unknown(OF_PROGRAMS));
        RunMode mode = mode(text.entry(MODE));
        int workers = workers(text.entry(WORKERS));
        int ranks = ranks(text.entry(RANKS), mode);
        measured = MeasuredWeights.of(text.entry(WEIGHTS), errors);
        List<CheckedPart> parts = new ArrayList<>();
        List<String> unmade = new ArrayList<>();
        for (String name : text.parts()) {
            if (text.entry("components." + name) != null) {
                unmade.add(name); // it is a text, and was reported
                continue;
            }
            try {
                parts.add(part(name, text, mode));
            } catch (InputException e) {
                unmade.add(name);
                errors.add(e.getMessage());
            }
        }
        if (text.parts().isEmpty()) {
            errors.add(text.where()
                    + ": 'components:' is empty; expected entries like 'a: {component: number, value: 3}'");
        }
        List<Plug> plugs = text.wires().entrySet().stream()
                .map(wire -> new Plug(
                        wire.getKey(), wire.getValue().text(), wire.getValue().where()))
                .toList();
        Value name = text.entry(PROGRAM);
        if (name != null && name.text().isBlank()) {
            errors.add(name.where() + ": 'program' is '" + name.text() + "'; expected a name");
        }
        Saving saving = saving(text.entry(EVERY), text.entry(FOLDER));
        return meshed(name == null ? fileName() : name.text(), mode, workers, ranks, parts, unmade, plugs, saving);
    }

    /**
     * Checks a program of one component after its settings were checked.
     *
     * @throws InputException with all that is wrong
     */
    ComposedProgram one(ProgramFile program, Component component, Settings settings) {
        RunMode mode = mode(null);
        String name = component.name();
        Asking asking = new Asking(component, program.where());
        asking.check(settings);
        List<ComponentSocket<?>> sockets = sockets(component, settings, program.where());
        requireMode(component, name, program.component(), mode);
        Part part = new Part(name, name, program.where(), sockets, null, program.where());
        List<CheckedPart> parts = List.of(new CheckedPart(part, component, settings, 0, 1, asking.passLimit(settings)));
        return meshed(fileName(), mode, choices.processors(), ranks(null, mode), parts, List.of(), List.of(), null);
    }

    /** @param unmade the names of components with which something is wrong */
    private ComposedProgram meshed(
            String name,
            RunMode mode,
            int workers,
            int ranks,
            List<CheckedPart> parts,
            List<String> unmade,
            List<Plug> plugs,
            @Nullable Saving saving) {
        List<Part> nodes = parts.stream().map(CheckedPart::part).toList();
        Plan plan = Plan.of(nodes, unmade, plugs, errors);
        if (saving != null && errors.isEmpty()) {
            errors.addAll(ProgramState.missing(plan));
        }
        Placement placement = null;
        if (mode == RunMode.TASK_PARALLEL && errors.isEmpty()) {
            placement = placement(plan, parts, ranks);
        }
        if (!errors.isEmpty()) {
            throw all();
        }
        return new ComposedProgram(name, mode, workers, ranks, placement, plan, parts, saving);
    }

    /** Places the parts; adds an error for each value that cannot go from rank to rank. */
    private @Nullable Placement placement(Plan plan, List<CheckedPart> parts, int ranks) {
        if (ranks > parts.size()) {
            errors.add(file + ": the program has " + parts.size()
                    + (parts.size() == 1 ? " component, and " : " components, and ") + ranks
                    + " ranks, of which some would have none; expected at most " + parts.size() + " ranks");
            return null;
        }
        Placement placement = Placement.of(plan, parts, ranks, measured.bytes());
        Set<String> seen = new HashSet<>();
        for (Wire wire : plan.wires()) {
            Part from = plan.parts().get(wire.from());
            String missing = placement.rankOf(wire.from()) == placement.rankOf(wire.to())
                    ? null
                    : PartMessage.missing(wire.source());
            if (missing != null && seen.add(from.name(wire.source()))) {
                errors.add(from.where() + ": source '" + from.name(wire.source()) + "' ("
                        + wire.source().type()
                        + ") cannot be sent from rank " + placement.rankOf(wire.from()) + " to rank "
                        + placement.rankOf(wire.to()) + ": " + missing);
            }
        }
        return placement;
    }

    private InputException all() {
        return new InputException(String.join(System.lineSeparator(), errors));
    }

    private String fileName() {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    // ---- entries of the program

    private RunMode mode(@Nullable Value given) {
        RunMode inFile = RunMode.SERIAL;
        if (given != null) {
            RunMode value = MODES.parser().apply(given.text());
            if (value == null) {
                errors.add(given.where() + ": 'mode' is '" + given.text() + "'; expected " + MODES.expected());
            } else {
                inFile = value;
            }
        }
        return choices.mode() == null ? inFile : choices.mode();
    }

    /** Returns the number of ranks; 0 for a mode without ranks. */
    private int ranks(@Nullable Value given, RunMode mode) {
        int ranks = choices.ranks();
        if (ranks == 0 && given != null) {
            Setting.Type<Integer> type = Setting.Type.integer(1, MOST_RANKS);
            Integer value = type.parser().apply(given.text());
            if (value == null) {
                errors.add(given.where() + ": 'ranks' is '" + given.text() + "'; expected " + type.expected());
                return 1;
            }
            ranks = value;
        }
        if (mode.hasRanks() && ranks == 0) {
            errors.add((choices.mode() == null ? file : "--mode") + ": a program that runs " + Setting.Type.nameOf(mode)
                    + " needs a number of ranks; give --ranks N, or 'ranks: N' in the file");
            return 1;
        }
        if (!mode.hasRanks() && choices.ranks() > 0) {
            errors.add(choices.ranks() + " ranks: the program runs " + Setting.Type.nameOf(mode)
                    + ", without ranks; give --mode task-parallel, by which each component runs on one rank, or"
                    + " --mode data-parallel, by which each component runs on all");
        }
        return mode.hasRanks() ? ranks : 0;
    }

    private int workers(@Nullable Value given) {
        if (given == null) {
            return choices.processors();
        }
        Setting.Type<Integer> type = Setting.Type.integer(1, EngineOptions.MOST_WORKERS);
        Integer value = type.parser().apply(given.text());
        if (value == null) {
            errors.add(given.where() + ": 'workers' is '" + given.text() + "'; expected " + type.expected());
            return 1;
        }
        return value;
    }

    private @Nullable Saving saving(@Nullable Value every, @Nullable Value folder) {
        if (every == null) {
            if (folder != null) {
                errors.add(folder.where() + ": 'checkpoint' has a folder and no 'every'; expected the passes of an"
                        + " outermost loop between two checkpoints, as in 'checkpoint: {every: 10}'");
            }
            return null;
        }
        Setting.Type<Integer> type = Setting.Type.integer(1, Integer.MAX_VALUE);
        Integer passes = type.parser().apply(every.text());
        if (passes == null) {
            errors.add(every.where() + ": 'checkpoint.every' is '" + every.text() + "'; expected "
                    + type.expected(every.text()));
            return null;
        }
        return new Saving(passes, folder == null ? null : folder(folder));
    }

    private @Nullable Path folder(Value given) {
        if (given.text().isBlank()) {
            errors.add(given.where() + ": 'checkpoint.folder' is '" + given.text() + "'; expected a folder");
            return null;
        }
        try {
            return Path.of(given.text());
        } catch (InvalidPathException e) {
            errors.add(given.where() + ": 'checkpoint.folder' is '" + given.text() + "', which is no path: "
                    + e.getReason() + "; expected a folder");
            return null;
        }
    }

    // ---- components

    private CheckedPart part(String name, ProgramText text, RunMode mode) {
        requireName(name, text);
        ProgramFile program = text.part(name, OF_PARTS);
        Component component = choices.catalog()
                .find(program.component().text(), program.component().where());
        Asking asking = new Asking(component, program.where());
        List<Setting<?>> schema = asking.settings();
        requireOwnSettings(asking, schema);
        SearchPath searchPath = SearchPath.of(file, choices.data(), component.dataFolder());
        Settings settings = Settings.of(program, schema, searchPath);
        asking.checkPart(settings);
        requireMode(component, name, program.component(), mode);
        List<ComponentSocket<?>> sockets = sockets(component, settings, text.where(name));
        Value within = text.ofPart(name, WITHIN);
        Part part = new Part(
                name,
                component.name(),
                text.where(name),
                sockets,
                within == null ? null : within.text(),
                within == null ? text.where(name) : within.where());
        double weight = weight(name, text.ofPart(name, WEIGHT), asking, settings);
        return new CheckedPart(
                part,
                component,
                settings,
                limit(name, text.ofPart(name, TIME_LIMIT)),
                weight,
                asking.passLimit(settings));
    }

    /** Returns the weight that the file gives, or else an earlier run, or else the component. */
    private double weight(String name, @Nullable Value given, Asking asking, Settings settings) {
        if (given == null) {
            double its = asking.weight(settings);
            return measured.seconds().getOrDefault(name, its);
        }
        Setting.Type<Double> type = Setting.Type.number(1e-6, 1e12);
        Double weight = type.parser().apply(given.text());
        if (weight == null) {
            throw new InputException(given.where() + ": 'weight' of component '" + name + "' is '" + given.text()
                    + "'; expected " + type.expected() + ", its work relative to that of others");
        }
        return weight;
    }

    private static void requireName(String name, ProgramText text) {
        String called = text.where(name) + ": a component is called '" + name + "'";
        if (!ProgramText.isName(name)) {
            throw new InputException(called + "; expected " + ProgramText.NAMES);
        }
        if (text.parts().size() > 1 && PartContext.OF_PROGRAMS.contains(name)) {
            throw new InputException(
                    called + ", as the program's own file in the output folder; expected another name");
        }
    }

    private static void requireOwnSettings(Asking asking, List<Setting<?>> settings) {
        for (Setting<?> setting : settings) {
            if (OF_PARTS.contains(setting.key())) {
                throw new InputException(asking.where() + ": " + asking.described() + " has a setting '" + setting.key()
                        + "', which programs use themselves; expected another name");
            }
        }
    }

    private static void requireMode(Component component, String name, Value where, RunMode mode) {
        Set<RunMode> modes = new Asking(component, where.where()).modes();
        if (!modes.contains(mode)) {
            throw new InputException(
                    where.where() + ": component '" + name + "' (" + component.name() + ") does not run "
                            + Setting.Type.nameOf(mode) + "; it runs "
                            + Arrays.stream(RunMode.values())
                                    .filter(modes::contains)
                                    .map(Setting.Type::nameOf)
                                    .collect(Collectors.joining(", ")));
        }
    }

    private static long limit(String name, @Nullable Value given) {
        if (given == null) {
            return 0;
        }
        Double seconds = SECONDS.parser().apply(given.text());
        if (seconds == null) {
            throw new InputException(given.where() + ": 'timeLimit' of component '" + name + "' is '" + given.text()
                    + "'; expected " + SECONDS.expected() + ", the seconds that an execution may take");
        }
        return (long) (seconds * 1e9);
    }

    private static List<ComponentSocket<?>> sockets(Component component, Settings settings, String where) {
        Asking asking = new Asking(component, where);
        List<ComponentSocket<?>> sockets = asking.list("sockets", () -> component.sockets(settings));
        List<ComponentSocket<?>> again = asking.list("sockets", () -> component.sockets(settings));
        if (!sockets.equals(again)) {
            throw new InputException(where + ": " + asking.described() + " returns other sockets each time: " + sockets
                    + ", then " + again);
        }
        requireDifferent(component, sockets, where);
        return sockets;
    }

    private static void requireDifferent(Component component, List<ComponentSocket<?>> sockets, String where) {
        Set<String> names = new HashSet<>();
        int again = 0;
        for (ComponentSocket<?> socket : sockets) {
            String kind = socket instanceof Source<?> ? "source" : "sink";
            if (!names.add(kind + " '" + socket.name() + "'")) {
                throw new InputException(where + ": component '" + component.name() + "' declares the " + kind + " '"
                        + socket.name() + "' twice");
            }
            again += socket instanceof Source<?> source && source.isAgain() ? 1 : 0;
        }
        if (again > 1) {
            throw new InputException(where + ": component '" + component.name() + "' declares " + again
                    + " sources that close a loop; expected one at most");
        }
    }
}
