package dev.jacquard.components.run;

import dev.jacquard.components.component.Component;
import dev.jacquard.components.component.RunMode;
import dev.jacquard.components.program.Setting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Program files as a JSON Schema, by which editors complete keys and show meanings. It is less strict than the check of
 * a program: dotted keys pass, and a value without limits is any scalar.
 *
 * <p>Source: JSON Schema, draft 2020-12.
 */
final class ProgramSchema {
    private static final String PROPERTIES = "properties";
    private static final String DESCRIPTION = "description";
    private static final String OBJECT = "object";
    private static final String FURTHER = "additionalProperties";

    private final List<Component> components;

    ProgramSchema(List<Component> components) {
        this.components = components;
    }

    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        document.put("title", "Jacquard program");
        document.put("type", OBJECT);
        document.put("if", Map.of("required", List.of("components")));
        document.put("then", program());
        document.put("else", Map.of("allOf", List.of(named(), Map.of("$ref", "#/$defs/settings"))));
        document.put("$defs", Map.of("settings", Map.of("allOf", all())));
        return document;
    }

    /** A file of several components. */
    private Map<String, Object> program() {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("program", described("The name of the program.", Map.of("type", "string")));
        List<String> modes =
                Arrays.stream(RunMode.values()).map(Setting.Type::nameOf).toList();
        properties.put("mode", described("How the components run.", Map.of("enum", modes)));
        properties.put(
                "ranks", described("The ranks of a program that has some.", Map.of("type", "integer", "minimum", 1)));
        properties.put(
                "weights",
                described("The report.json of an earlier run, by which ranks are balanced.", Map.of("type", "string")));
        properties.put(
                "workers", described("The workers of the program's session.", Map.of("type", "integer", "minimum", 1)));
        Map<String, Object> saving = Map.of(
                "every", described("The passes between two checkpoints.", Map.of("type", "integer", "minimum", 1)),
                "folder", described("The folder of the checkpoint.", Map.of("type", "string")));
        properties.put(
                "checkpoint",
                described("Saves the program between passes.", Map.of("type", OBJECT, PROPERTIES, saving)));
        Map<String, Object> part = Map.of(
                "allOf",
                List.of(
                        named(),
                        Map.of("$ref", "#/$defs/settings"),
                        Map.of(
                                PROPERTIES,
                                Map.of(
                                        "within",
                                                described(
                                                        "The exit of the loop in whose passes it runs.",
                                                        Map.of("type", "string")),
                                        "timeLimit",
                                                described(
                                                        "The seconds that an execution may take.",
                                                        Map.of("type", "number", "minimum", 1e-3))))));
        properties.put(
                "components", described("Components by names of your own.", Map.of("type", OBJECT, FURTHER, part)));
        properties.put(
                "wires",
                described(
                        "Sources by sinks: 'a.in1: b.value'.",
                        Map.of("type", OBJECT, FURTHER, Map.of("type", "string"))));
        return Map.of(PROPERTIES, properties, FURTHER, false);
    }

    private static Map<String, Object> described(String meaning, Map<String, ?> schema) {
        Map<String, Object> described = new LinkedHashMap<>(schema);
        described.put(DESCRIPTION, meaning);
        return described;
    }

    /** Something with the name of a component. */
    private Map<String, Object> named() {
        List<Object> names = new ArrayList<>();
        components.forEach(
                component -> names.add(described(component.description(), Map.of("const", component.name()))));
        return Map.of(
                "type",
                OBJECT,
                "required",
                List.of("component"),
                PROPERTIES,
                Map.of("component", Map.of("oneOf", names)));
    }

    /** The settings, by the name of the component. */
    private List<Object> all() {
        List<Object> all = new ArrayList<>();
        for (Component component : components) {
            Map<String, Object> properties = new LinkedHashMap<>();
            component.settings().forEach(setting -> put(setting, properties));
            all.add(Map.of(
                    "if",
                    Map.of(PROPERTIES, Map.of("component", Map.of("const", component.name()))),
                    "then",
                    Map.of(PROPERTIES, properties)));
        }
        return all;
    }

    /** Puts a setting into the section where it lies; in one with names of the user's it is for each of them. */
    @SuppressWarnings("unchecked") // made here
    private static void put(Setting<?> setting, Map<String, Object> top) {
        String[] words = setting.key().split("\\.", -1);
        Map<String, Object> properties = top;
        for (int i = 0; i < words.length - 1; i++) {
            Map<String, Object> section = (Map<String, Object>) properties.computeIfAbsent(words[i], key -> {
                Map<String, Object> made = new LinkedHashMap<>();
                made.put("type", OBJECT);
                return made;
            });
            if (words[i + 1].equals("*")) {
                if (i + 2 == words.length) {
                    section.put(
                            FURTHER, described(setting.meaning(), setting.type().schema()));
                    return;
                }
                section = (Map<String, Object>) section.computeIfAbsent(FURTHER, key -> {
                    Map<String, Object> made = new LinkedHashMap<>();
                    made.put("type", OBJECT);
                    return made;
                });
                i++;
            }
            properties = (Map<String, Object>) section.computeIfAbsent(PROPERTIES, key -> new LinkedHashMap<>());
        }
        String meaning = setting.meaning()
                + (setting.byDefault() == null || setting.byDefault().isEmpty()
                        ? ""
                        : " By default " + setting.byDefault() + ".");
        properties.put(
                words[words.length - 1], described(meaning, setting.type().schema()));
    }
}
