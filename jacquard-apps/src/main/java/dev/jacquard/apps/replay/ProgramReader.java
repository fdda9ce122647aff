package dev.jacquard.apps.replay;

import java.nio.file.Path;
import java.util.List;

/**
 * Reads a task program, whichever format it has.
 *
 * <p>All methods throw {@link dev.jacquard.apps.program.InputException} for what cannot be used.
 */
public final class ProgramReader {
    private static final List<String> KEYS = List.of("resources", "tasks");

    private ProgramReader() {}

    /** The program in {@code file}. */
    public static TaskProgram read(Path file) {
        return program(JsonSource.read(file));
    }

    /** The program that is {@code json}; {@code file} is for messages. */
    public static TaskProgram parse(String file, String json) {
        return program(JsonSource.parse(file, json));
    }

    private static TaskProgram program(JsonValue document) {
        Element root = Element.of(document, "the program");
        if (root.has("workflow")) {
            return WorkflowReader.read(root);
        }
        root.allow(KEYS);
        root.require("tasks", "a list of tasks");
        List<ResourceSpec> resources = ResourceReader.read(root.list("resources"));
        return new TaskProgram(resources, TaskReader.read(root.list("tasks"), resources));
    }
}
