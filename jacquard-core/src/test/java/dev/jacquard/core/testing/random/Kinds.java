package dev.jacquard.core.testing.random;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessTable;
import dev.jacquard.memory.access.AreaAccess;
import dev.jacquard.memory.access.Mode;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** By which kinds of access all tasks say what they do to a store, and to those around it and inside of it. */
enum Kinds {
    /** The engine's. */
    MODES {
        @Override
        Access of(How how) {
            return how.mode;
        }

        @Override
        Access of(How how, Span span) {
            return new AreaAccess(how.mode, span.area());
        }
    },
    /** Entries of a table, which say the same. */
    TABLE {
        @Override
        Access of(How how) {
            return ENTRIES.entry(label(how.mode));
        }

        @Override
        Access of(How how, Span span) {
            return new AreaAccess(of(how), span.area());
        }
    },
    /** A class of the user's for some cells; all of them are a mode. */
    CELLS {
        @Override
        Access of(How how) {
            return how.mode;
        }

        @Override
        Access of(How how, Span span) {
            BitSet cells = new BitSet();
            for (int i = 0; i < span.size(); i++) {
                cells.set(span.cell(i));
            }
            return new Cells(how.mode, cells);
        }
    };

    private static final AccessTable ENTRIES = table();

    /** All of a store, and of its parts. */
    abstract Access of(How how);

    abstract Access of(How how, Span span);

    private static String label(Mode mode) {
        return mode.name().toLowerCase(Locale.ROOT);
    }

    private static AccessTable table() {
        Mode[] modes = Mode.values();
        boolean[][] dependsOn = new boolean[modes.length][modes.length];
        for (int later = 0; later < modes.length; later++) {
            for (int earlier = 0; earlier < modes.length; earlier++) {
                dependsOn[later][earlier] = modes[later].conflictsWith(modes[earlier]);
            }
        }
        List<AccessTable.Kind> kinds = Arrays.stream(modes)
                .map(mode -> new AccessTable.Kind(label(mode), mode.reads(), mode.writes()))
                .toList();
        return AccessTable.of(kinds, dependsOn);
    }

    /**
     * An access to some cells, which need not be a box.
     *
     * @param cells their numbers; never changed
     */
    record Cells(Mode mode, BitSet cells) implements Access {
        @Override
        public boolean conflictsWith(Access earlier) {
            return earlier instanceof Cells other
                    ? cells.intersects(other.cells) && mode.conflictsWith(other.mode)
                    : mode.conflictsWith(earlier);
        }

        @Override
        public boolean covers(Access other) {
            return other instanceof Cells part
                    ? mode.covers(part.mode) && part.cells.stream().allMatch(cells::get)
                    : Mode.ofStranger(other) == Mode.NONE;
        }

        @Override
        public boolean reads() {
            return mode.reads();
        }

        @Override
        public boolean writes() {
            return mode.writes();
        }

        @Override
        public Access whole() {
            return mode;
        }

        /** The keys of every other one: accesses with keys meet others without. */
        @Override
        public Set<Integer> keys() {
            return cells.cardinality() % 2 == 0
                    ? Set.of()
                    : cells.stream().boxed().collect(Collectors.toSet());
        }
    }
}
