package dev.jacquard.tools;

import dev.jacquard.components.component.Application;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** Lists the components and their settings. */
@Command(name = "components", description = "List the components that a program can name, and their settings.")
final class ComponentsCommand extends Subcommand {
    ComponentsCommand(Environment environment) {
        super(environment);
    }

    @Override
    public Integer call() {
        List<Application> components = Application.all();
        print(
                () -> Report.json(
                        components.stream().map(ComponentsCommand::values).toList()),
                () -> components.stream().flatMap(ComponentsCommand::lines).toList());
        return 0;
    }

    private static Stream<String> lines(Application component) {
        List<String> lines = new ArrayList<>(List.of("component: " + component.name(), "  " + component.description()));
        for (Setting<?> setting : component.settings()) {
            lines.add("");
            lines.add("  " + setting.key() + "  (" + byDefault(setting) + ")");
            lines.add("      " + setting.meaning());
            lines.add("      " + setting.type().expected());
        }
        lines.add("");
        return lines.stream();
    }

    private static String byDefault(Setting<?> setting) {
        String text = setting.byDefault();
        return text == null ? "required" : text.isEmpty() ? "optional" : "default " + text;
    }

    private static Map<String, Object> values(Application component) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", component.name());
        values.put("description", component.description());
        values.put(
                "settings",
                component.settings().stream().map(ComponentsCommand::values).toList());
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
