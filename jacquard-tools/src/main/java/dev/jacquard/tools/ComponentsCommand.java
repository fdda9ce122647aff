package dev.jacquard.tools;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.ComponentSocket;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.component.Sink;
import dev.jacquard.components.component.Source;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.components.run.Catalog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the components, their settings, sockets and modes. */
@Command(
        name = "components",
        description =
                "List the components that a program can name; with NAME, the settings, sinks, sources and modes of"
                        + " one of them.")
final class ComponentsCommand extends Subcommand {
    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The one component to list.")
    private @Nullable String name;

    @Option(names = "--all", description = "List the settings, sinks, sources and modes of all components.")
    private boolean all;

    @Option(names = "--schema", description = "Print a JSON Schema of program files instead, for editors.")
    private boolean schema;

    @Mixin
    private final JarOption jars = new JarOption();

    ComponentsCommand(Environment environment) {
        super(environment);
    }

    @Override
    public Integer call() {
        Catalog catalog = jars.catalog(environment);
        if (schema) {
            environment.out().print(Report.json(catalog.schema()));
            return 0;
        }
        List<Component> components = name == null ? catalog.all() : List.of(catalog.find(name, "components"));
        print(
                () -> Report.json(
                        components.stream().map(ComponentsCommand::values).toList()),
                () -> name == null && !all
                        ? table(components)
                        : components.stream()
                                .flatMap(component -> lines(component).stream())
                                .toList());
        return 0;
    }

    /** A line for each. */
    private static List<String> table(List<Component> components) {
        int width = components.stream()
                .mapToInt(component -> component.name().length())
                .max()
                .orElse(0);
        List<String> lines = new ArrayList<>();
        for (Component component : components) {
            lines.add(
                    component.name() + " ".repeat(width - component.name().length()) + "  " + component.description());
        }
        lines.add("");
        lines.add("./jacquard components NAME lists the settings, sinks and sources of one, --all of all of them.");
        return lines;
    }

    private static List<String> lines(Component component) {
        List<String> lines = new ArrayList<>(List.of("component: " + component.name(), "  " + component.description()));
        for (Setting<?> setting : component.settings()) {
            lines.add("");
            lines.add("  " + setting.key() + "  (" + byDefault(setting) + ")");
            lines.add("      " + setting.meaning());
            lines.add("      " + setting.type().expected());
        }
        for (ComponentSocket<?> socket : sockets(component)) {
            lines.add("");
            lines.add("  " + kind(socket) + " " + socket.name() + ": " + socket.type());
            lines.add("      " + socket.meaning());
        }
        lines.add("");
        lines.add("  runs " + String.join(", ", modes(component)));
        lines.add("");
        return lines;
    }

    private static String byDefault(Setting<?> setting) {
        String text = setting.byDefault();
        return text == null ? "required" : text.isEmpty() ? "optional" : "default " + text;
    }

    private static String kind(ComponentSocket<?> socket) {
        return switch (socket) {
            case Sink<?> sink -> sink.isOptional() ? "optional sink" : "sink";
            case Source<?> source -> source.isAgain() ? "source that closes a loop," : "source";
        };
    }

    /** Returns the sockets with the settings' defaults; none if they depend on a setting that has none. */
    private static List<ComponentSocket<?>> sockets(Component component) {
        try {
            return List.copyOf(component.sockets(Settings.ofDefaults(component.settings())));
        } catch (RuntimeException e) {
            return List.of();
        }
    }

    private static List<String> modes(Component component) {
        return Arrays.stream(RunMode.values())
                .filter(component.modes()::contains)
                .map(Setting.Type::nameOf)
                .toList();
    }

    private static Map<String, Object> values(Component component) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", component.name());
        values.put("description", component.description());
        values.put(
                "settings",
                component.settings().stream().map(ComponentsCommand::values).toList());
        List<ComponentSocket<?>> sockets = sockets(component);
        values.put(
                "sinks",
                sockets.stream()
                        .filter(Sink.class::isInstance)
                        .map(ComponentsCommand::values)
                        .toList());
        values.put(
                "sources",
                sockets.stream()
                        .filter(Source.class::isInstance)
                        .map(ComponentsCommand::values)
                        .toList());
        values.put("modes", modes(component));
        return values;
    }

    private static Map<String, Object> values(ComponentSocket<?> socket) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", socket.name());
        values.put("type", socket.type().toString());
        switch (socket) {
            case Sink<?> sink -> values.put("optional", sink.isOptional());
            case Source<?> source -> values.put("again", source.isAgain());
        }
        values.put("meaning", socket.meaning());
        return values;
    }

    private static Map<String, Object> values(Setting<?> setting) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("key", setting.key());
        values.put("expected", setting.type().expected());
        values.put("required", setting.byDefault() == null);
        if (setting.byDefault() != null && !setting.byDefault().isEmpty()) {
            values.put("default", setting.byDefault());
        }
        values.put("meaning", setting.meaning());
        return values;
    }
}
