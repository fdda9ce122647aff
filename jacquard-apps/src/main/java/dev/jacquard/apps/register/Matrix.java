package dev.jacquard.apps.register;

import dev.jacquard.apps.program.InputException;
import dev.jacquard.memory.access.AccessTable;
import dev.jacquard.memory.access.AccessTable.Kind;
import java.util.ArrayList;
import java.util.List;

/** Reads a table of accesses from lines like {@code aadd: reads writes 1 1 0 1 0}. */
final class Matrix {
    private Matrix() {}

    /** @throws InputException for a line that cannot be read, or lines that make no table */
    static AccessTable parse(String key, List<TextLine> lines) {
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
