package dev.jacquard.memory.access;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Kinds of access to a whole resource that a user gives as a matrix: which depends on which.
 *
 * <pre>{@code
 * AccessTable table = AccessTable.of(
 *         List.of(new Kind("bin", true, true), new Kind("read", true, false), new Kind("none", false, false)),
 *         new boolean[][] {
 *             // bin,  read,  none
 *             {false, true,  false}, // tasks that bin run side by side
 *             {true,  false, false},
 *             {false, false, false}
 *         });
 * graph.task("bin").accesses(histogram, table.entry("bin")).run(...);
 * }</pre>
 *
 * <p>An entry meets entries of the same table (the same object) by the matrix, and everything else by whether it reads
 * and writes. The entries that it <em>covers</em> are derived: an entry covers another when it has all its dependences,
 * in its row (the entries that it waits for) and in its column (the entries that wait for it), and when it covers the
 * other for strangers too. The document compares rows alone, which comes to the same in a symmetric matrix. In an
 * asymmetric one the columns matter: an access is forgotten once a later one that covers it waits for it, so a task
 * that would have waited for the one must wait for the other.
 *
 * <p>Immutable. Source: the resource-register document, section 7.1.1 (matrix access).
 */
public final class AccessTable {
    /** The number of entries that a table may have: the bits of a row. */
    public static final int MOST_ENTRIES = Long.SIZE;

    private final List<Entry> entries;

    /**
     * Names one row and column of a table.
     *
     * @param name how it is asked for and printed; unique in its table
     * @param reads whether the task sees the contents from before
     * @param writes whether the task changes anything that others can see
     */
    public record Kind(String name, boolean reads, boolean writes) {
        public Kind {
            Objects.requireNonNull(name, "name");
        }
    }

    private AccessTable(List<Kind> kinds, Matrix matrix) {
        List<Entry> made = new ArrayList<>();
        for (int index = 0; index < kinds.size(); index++) {
            made.add(new Entry(this, kinds.get(index), index, matrix));
        }
        entries = List.copyOf(made);
    }

    /**
     * The table of {@code kinds}.
     *
     * @param kinds at most {@value #MOST_ENTRIES}; at least one that neither reads nor writes
     * @param dependsOn {@code dependsOn[later][earlier]}, both by the order of {@code kinds}: whether a task of the
     *     row's kind must wait for an earlier one of the column's
     * @throws IllegalArgumentException when names repeat, the matrix is not as wide and high as there are kinds, it has
     *     a dependence between kinds of which neither writes or with one that does nothing, or no kind does nothing
     */
    public static AccessTable of(List<Kind> kinds, boolean[][] dependsOn) {
        Objects.requireNonNull(kinds, "kinds");
        Objects.requireNonNull(dependsOn, "dependsOn");
        TableCheck.check(kinds, dependsOn);
        return new AccessTable(kinds, Matrix.of(kinds, dependsOn));
    }

    /**
     * The access of this name.
     *
     * @throws IllegalArgumentException when there is none
     */
    public Access entry(String name) {
        Objects.requireNonNull(name, "name");
        for (Entry entry : entries) {
            if (entry.kind.name.equals(name)) {
                return entry;
            }
        }
        throw new IllegalArgumentException("the table has no entry '" + name + "'; expected one of "
                + entries.stream().map(Entry::toString).collect(Collectors.joining(", ")));
    }

    /** All entries, in the order of the rows. Unmodifiable. */
    public List<Access> entries() {
        return Collections.unmodifiableList(entries);
    }

    /**
     * The dependences, as sets of bits by the order of the entries.
     *
     * @param rows for each entry the entries that it waits for
     * @param columns for each entry the entries that wait for it
     * @param seen the mode that each entry counts as for strangers
     */
    private record Matrix(long[] rows, long[] columns, Mode[] seen) {
        static Matrix of(List<Kind> kinds, boolean[][] dependsOn) {
            int size = kinds.size();
            Matrix matrix = new Matrix(new long[size], new long[size], new Mode[size]);
            for (int row = 0; row < size; row++) {
                matrix.seen[row] = Mode.of(kinds.get(row).reads, kinds.get(row).writes);
                for (int column = 0; column < size; column++) {
                    if (dependsOn[row][column]) {
                        matrix.rows[row] |= 1L << column;
                        matrix.columns[column] |= 1L << row;
                    }
                }
            }
            return matrix;
        }

        /** The entries that entry {@code index} covers. */
        long covered(int index) {
            long covered = 0;
            for (int other = 0; other < seen.length; other++) {
                if (covers(index, rows[other], columns[other], seen[other])) {
                    covered |= 1L << other;
                }
            }
            return covered;
        }

        /** The bits of the modes that entry {@code index} covers when a stranger counts as them. */
        int coveredStrangers(int index) {
            int covered = 0;
            for (Mode stranger : Mode.values()) {
                long meets = 0;
                for (int other = 0; other < seen.length; other++) {
                    meets |= seen[other].conflictsWith(stranger) ? 1L << other : 0;
                }
                if (covers(index, meets, meets, stranger)) {
                    covered |= stranger.bit;
                }
            }
            return covered;
        }

        private boolean covers(int index, long row, long column, Mode as) {
            return (row & ~rows[index]) == 0 && (column & ~columns[index]) == 0 && seen[index].covers(as);
        }
    }

    /** One row and column. */
    private static final class Entry implements Access {
        private final AccessTable table;
        private final Kind kind;
        private final int index;
        private final long row;
        private final long covered;
        private final Mode seen;
        private final int coveredStrangers;

        Entry(AccessTable table, Kind kind, int index, Matrix matrix) {
            this.table = table;
            this.kind = kind;
            this.index = index;
            this.row = matrix.rows[index];
            this.covered = matrix.covered(index);
            this.seen = matrix.seen[index];
            this.coveredStrangers = matrix.coveredStrangers(index);
        }

        @Override
        public boolean conflictsWith(Access earlier) {
            Objects.requireNonNull(earlier, "earlier");
            Access whole = earlier.whole();
            if (whole instanceof Entry other && other.table == table) {
                return ((row >>> other.index) & 1) != 0;
            }
            return seen.conflictsWith(Mode.ofStranger(whole));
        }

        @Override
        public boolean covers(Access other) {
            Objects.requireNonNull(other, "other");
            Access whole = other.whole();
            if (whole instanceof Entry part && part.table == table) {
                return ((covered >>> part.index) & 1) != 0;
            }
            return (coveredStrangers & Mode.ofStranger(whole).bit) != 0;
        }

        @Override
        public boolean reads() {
            return kind.reads;
        }

        @Override
        public boolean writes() {
            return kind.writes;
        }

        @Override
        public String toString() {
            return kind.name;
        }
    }
}
