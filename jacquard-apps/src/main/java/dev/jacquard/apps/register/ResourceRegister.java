package dev.jacquard.apps.register;

import dev.jacquard.components.component.Application;
import dev.jacquard.components.component.Job;
import dev.jacquard.components.program.InputException;
import dev.jacquard.components.program.Report;
import dev.jacquard.components.program.Setting;
import dev.jacquard.components.program.Settings;
import dev.jacquard.memory.access.AccessTable;
import dev.jacquard.memory.access.AccessTable.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Asks accesses to boxes of a field which depends on which, and which may be demoted to which.
 *
 * <p>Source: the resource-register document, section 7.3; it prints the output shown there.
 */
public final class ResourceRegister implements Application {
    private static final Setting<String> MATRIX = Setting.required(
            "matrix",
            Setting.Type.text("lines like 'read: reads 1 0 1 1 0'"),
            "the kinds of access: what each does, and on which it depends when it comes later");
    private static final Setting<String> FIELDS = Setting.required(
            "fields",
            Setting.Type.text("lines like 'fieldB: [0, 2] [1, 2] [0, 2] read'"),
            "the accesses: a closed interval per dimension, and a kind of the matrix");

    @Override
    public String name() {
        return "resource-register";
    }

    @Override
    public String description() {
        return "says which accesses to boxes of a field depend on which, and which may be demoted to which";
    }

    @Override
    public List<Setting<?>> settings() {
        return List.of(MATRIX, FIELDS);
    }

    @Override
    public Report run(Job run) {
        List<FieldResource> fields = fields(run.settings());
        List<String> lines =
                new ArrayList<>(fields.stream().map(FieldResource::line).toList());
        List<Map<String, Object>> dependences = new ArrayList<>();
        List<Map<String, Object>> supersets = new ArrayList<>();
        forEachPair(fields, (left, right) -> {
            boolean depends = right.access().conflictsWith(left.access());
            lines.add("Dependency " + left.name() + " -> " + right.name() + " (== they need to run sequentially): "
                    + digit(depends));
            dependences.add(values("earlier", left, "later", right, "depends", depends));
        });
        forEachPair(fields, (left, right) -> {
            boolean covers = left.access().covers(right.access());
            lines.add(left.name() + " is superset of " + right.name() + " (== " + left.name() + " can be demoted to "
                    + right.name() + "): " + digit(covers));
            supersets.add(values("superset", left, "subset", right, "covers", covers));
        });
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("component", name());
        values.put("fields", fields.stream().map(FieldResource::values).toList());
        values.put("dependences", dependences);
        values.put("supersets", supersets);
        return new Report(lines, values);
    }

    private static List<FieldResource> fields(Settings settings) {
        AccessTable table = table(MATRIX.key(), TextLine.of(MATRIX, settings.get(MATRIX)));
        List<FieldResource> fields = new ArrayList<>();
        for (TextLine line : TextLine.of(FIELDS, settings.get(FIELDS))) {
            FieldResource field = FieldResource.parse(line, table);
            if (!fields.isEmpty() && field.dimensions() != fields.getFirst().dimensions()) {
                throw line.error("'" + field.name() + "' has " + field.dimensions() + " intervals, '"
                        + fields.getFirst().name() + "' has "
                        + fields.getFirst().dimensions()
                        + "; all fields must have the same number");
            }
            fields.add(field);
        }
        if (fields.isEmpty()) {
            throw new InputException("'" + FIELDS.key() + "' has no line; expected "
                    + FIELDS.type().expected());
        }
        return fields;
    }

    /** In the document's order: each with itself, then every two, one way and the other. */
    private static void forEachPair(List<FieldResource> fields, BiConsumer<FieldResource, FieldResource> action) {
        fields.forEach(field -> action.accept(field, field));
        for (int left = 0; left < fields.size(); left++) {
            for (int right = left + 1; right < fields.size(); right++) {
                action.accept(fields.get(left), fields.get(right));
                action.accept(fields.get(right), fields.get(left));
            }
        }
    }

    private static int digit(boolean answer) {
        return answer ? 1 : 0;
    }

    private static Map<String, Object> values(
            String first, FieldResource left, String second, FieldResource right, String question, boolean answer) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put(first, left.name());
        values.put(second, right.name());
        values.put(question, answer);
        return values;
    }

    /**
     * Reads a table of accesses from lines like {@code aadd: reads writes 1 1 0 1 0}.
     *
     * @throws InputException for a line that cannot be read, or lines that make no table
     */
    private static AccessTable table(String key, List<TextLine> lines) {
        List<Kind> kinds = new ArrayList<>();
        boolean[][] dependsOn = new boolean[lines.size()][];
        for (TextLine line : lines) {
            List<String> words = new ArrayList<>(List.of(line.rest().split("\\s+", -1)));
            boolean reads = words.remove("reads");
            boolean writes = words.remove("writes");
            dependsOn[kinds.size()] = row(line, words);
            kinds.add(new Kind(line.name(), reads, writes));
        }
        try {
            return AccessTable.of(kinds, dependsOn);
        } catch (IllegalArgumentException e) {
            throw new InputException("'" + key + "': " + e.getMessage(), e);
        }
    }

    private static boolean[] row(TextLine line, List<String> words) {
        boolean[] row = new boolean[words.size()];
        for (int column = 0; column < row.length; column++) {
            String word = words.get(column);
            if (!word.equals("0") && !word.equals("1")) {
                throw line.error(
                        "'" + word + "' is not expected; expected 'reads' and 'writes' where the access does so,"
                                + " then a 1 for each kind on which it depends and a 0 for each other");
            }
            row[column] = word.equals("1");
        }
        return row;
    }
}
