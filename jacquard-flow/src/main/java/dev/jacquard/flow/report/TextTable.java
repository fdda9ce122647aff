package dev.jacquard.flow.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of text in columns: the first to the left, the others to the right.
 *
 * <p>Threads: confined.
 */
final class TextTable {
    private final List<List<String>> rows = new ArrayList<>();

    void row(String... cells) {
        rows.add(List.of(cells));
    }

    void row(List<String> cells) {
        rows.add(List.copyOf(cells));
    }

    /** Returns the lines, each with a line break. */
    String text() {
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(
                        widths[i], row.get(i).codePointCount(0, row.get(i).length()));
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                String cell = row.get(i);
                String gap = " ".repeat(widths[i] - cell.codePointCount(0, cell.length()));
                line.append(i == 0 ? "" : "  ").append(i == 0 ? cell + gap : gap + cell);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
