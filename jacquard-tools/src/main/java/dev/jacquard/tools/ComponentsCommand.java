package dev.jacquard.tools;

import dev.jacquard.apps.program.Application;
import dev.jacquard.apps.program.Json;
import dev.jacquard.apps.program.Setting;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the components and their settings. */
@Command(name = "components", description = "List the components that a program can name, and their settings.")
final class ComponentsCommand implements Callable<Integer> {
    @Mixin
    private final Options options = new Options();

    private final Environment environment;

    ComponentsCommand(Environment environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() {
        List<Application> components = Application.all();
        if (options.json) {
            environment
                    .out()
                    .print(Json.write(
                            components.stream().map(ComponentsCommand::values).toList()));
        } else {
            components.forEach(component -> print(component, environment.out()));
        }
        return 0;
    }

    private static void print(Application component, PrintWriter out) {
        out.println("component: " + component.name());
        out.println("  " + component.description());
        for (Setting<?> setting : component.settings()) {
            out.println();
            String byDefault = setting.byDefault() == null ? "required" : "default " + setting.byDefault();
            out.println("  " + setting.key() + "  (" + byDefault + ")");
            out.println("      " + setting.meaning());
            out.println("      " + setting.type().expected());
        }
        out.println();
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
        if (setting.byDefault() != null) {
            values.put("default", setting.byDefault());
        }
        values.put("meaning", setting.meaning());
        return values;
    }
}
