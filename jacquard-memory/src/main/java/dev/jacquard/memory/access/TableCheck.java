package dev.jacquard.memory.access;

import dev.jacquard.memory.access.AccessTable.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Refuses matrices that would break the laws of {@link Access}. */
final class TableCheck {
    private TableCheck() {}

    static void check(List<Kind> kinds, boolean[][] dependsOn) {
        if (kinds.size() > AccessTable.MOST_ENTRIES) {
            throw new IllegalArgumentException(
                    "an access table has at most " + AccessTable.MOST_ENTRIES + " entries, not " + kinds.size());
        }
        checkNames(kinds);
        checkSquare(kinds, dependsOn);
        if (kinds.stream().noneMatch(TableCheck::doesNothing)) {
            throw new IllegalArgumentException(
                    "an access table needs an entry that neither reads nor writes, like 'none',"
                            + " which is what remains of an access that was given up; there is none among "
                            + names(kinds));
        }
        for (int row = 0; row < dependsOn.length; row++) {
            for (int column = 0; column < dependsOn.length; column++) {
                if (dependsOn[row][column]) {
                    checkDependence(kinds.get(row), kinds.get(column));
                }
            }
        }
    }

    private static void checkNames(List<Kind> kinds) {
        Map<String, Integer> rows = new HashMap<>();
        for (int row = 0; row < kinds.size(); row++) {
            String name = kinds.get(row).name();
            if (name.isBlank()) {
                throw new IllegalArgumentException("entry " + row + " of an access table has no name");
            }
            Integer earlier = rows.put(name, row);
            if (earlier != null) {
                throw new IllegalArgumentException("entries " + earlier + " and " + row
                        + " of an access table are both named '" + name + "'; names must be unique");
            }
        }
    }

    private static void checkSquare(List<Kind> kinds, boolean[][] dependsOn) {
        String expected = "the matrix of " + kinds.size() + " entries must have as many rows and columns; ";
        if (dependsOn.length != kinds.size()) {
            throw new IllegalArgumentException(expected + "it has " + dependsOn.length + " rows");
        }
        for (int row = 0; row < dependsOn.length; row++) {
            if (dependsOn[row].length != kinds.size()) {
                throw new IllegalArgumentException(expected + "the row of '"
                        + kinds.get(row).name() + "' has " + dependsOn[row].length + " columns");
            }
        }
    }

    private static void checkDependence(Kind later, Kind earlier) {
        String message = "'" + later.name() + "' depends on '" + earlier.name() + "', but ";
        for (Kind kind : List.of(later, earlier)) {
            if (doesNothing(kind)) {
                throw new IllegalArgumentException(message + "'" + kind.name()
                        + "' neither reads nor writes, and must neither wait nor be waited for");
            }
        }
        if (!later.writes() && !earlier.writes()) {
            throw new IllegalArgumentException(
                    message + "neither writes; accesses of which neither writes must not wait" + " for each other");
        }
    }

    private static boolean doesNothing(Kind kind) {
        return !kind.reads() && !kind.writes();
    }

    private static List<String> names(List<Kind> kinds) {
        return kinds.stream().map(Kind::name).toList();
    }
}
