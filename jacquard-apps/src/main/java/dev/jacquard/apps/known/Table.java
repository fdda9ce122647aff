package dev.jacquard.apps.known;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Rows of values below names, for spreadsheets. Confined to one thread. */
final class Table {
    private final int columns;
    private final List<String> lines = new ArrayList<>();

    Table(String... names) {
        this.columns = names.length;
        lines.add(String.join(",", names));
    }

    /** Adds a row: texts without commas, and numbers, which are written with five digits. */
    void row(Object... values) {
        if (values.length != columns) {
            throw new IllegalArgumentException("a row has " + columns + " values, not " + values.length);
        }
        lines.add(Arrays.stream(values).map(Table::text).collect(Collectors.joining(",")));
    }

    private static String text(Object value) {
        return value instanceof Double number ? String.format(Locale.ROOT, "%.5g", number) : value.toString();
    }

    /** Writes the table with commas between values. */
    void write(Path file) throws IOException {
        Files.writeString(file, String.join("\n", lines) + "\n", StandardCharsets.UTF_8);
    }
}
