package dev.jacquard.memory.access;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.access.AccessTable.Kind;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AccessTableTest {
    private static final Kind RW = new Kind("rw", true, true);
    private static final Kind READ = new Kind("read", true, false);
    private static final Kind SCAN = new Kind("scan", true, false);
    private static final Kind NONE = new Kind("none", false, false);

    /** The document's IOMatrix, but for the order of its entries that of the modes. */
    private static final List<Mode> MODES = List.of(Mode.UPDATE, Mode.READ, Mode.ADD, Mode.MUL, Mode.NONE);

    private static final AccessTable IO = AccessTable.of(
            List.of(RW, READ, new Kind("aadd", true, true), new Kind("amul", true, true), NONE), new boolean[][] {
                {true, true, true, true, false},
                {true, false, true, true, false},
                {true, true, false, true, false},
                {true, true, true, false, false},
                {false, false, false, false, false}
            });

    @Test
    void theDocumentsMatrixAnswersLikeTheModes() {
        for (int row = 0; row < MODES.size(); row++) {
            Access later = IO.entries().get(row);
            for (int column = 0; column < MODES.size(); column++) {
                Access other = IO.entries().get(column);
                assertEquals(MODES.get(row).conflictsWith(MODES.get(column)), later.conflictsWith(other));
                assertEquals(MODES.get(row).covers(MODES.get(column)), later.covers(other), later + " and " + other);
            }
        }
    }

    @Test
    void theLaterTaskIsTheRow() {
        AccessTable table = AccessTable.of(List.of(RW, SCAN, READ, NONE), new boolean[][] {
            {true, false, true, false},
            {true, false, false, false},
            {true, false, false, false},
            {false, false, false, false}
        });
        assertTrue(table.entry("scan").conflictsWith(table.entry("rw")));
        assertFalse(table.entry("rw").conflictsWith(table.entry("scan")));
        assertTrue(table.entry("read").covers(table.entry("scan")), "it has its dependences, and one more");
        assertFalse(table.entry("scan").covers(table.entry("read")), "nobody would wait for it: columns count");
    }

    @Test
    void entriesMeetStrangersByWhatTheyReadAndWrite() {
        AccessTable other = AccessTable.of(List.of(RW, NONE), new boolean[2][2]);
        assertTrue(IO.entry("aadd").conflictsWith(Mode.ADD), "the mode is no entry of the table");
        assertTrue(Mode.ADD.conflictsWith(IO.entry("aadd")));
        assertFalse(IO.entry("aadd").covers(Mode.ADD), "others that add would not wait for it");
        assertTrue(IO.entry("rw").covers(Mode.ADD));
        assertFalse(other.entry("rw").conflictsWith(other.entry("rw")));
        assertTrue(other.entry("rw").conflictsWith(IO.entry("rw")));
        assertTrue(IO.entry("read").conflictsWith(other.entry("rw")));
        assertFalse(IO.entry("read").conflictsWith(Mode.READ));
        assertFalse(Mode.UPDATE.conflictsWith(IO.entry("none")));
    }

    @Test
    void entriesAreKindsOfAccessToAreas() {
        Access left = new AreaAccess(IO.entry("aadd"), Area.ofReals(0, 1));
        Access middle = new AreaAccess(IO.entry("read"), Area.ofReals(1, 2));
        Access right = new AreaAccess(IO.entry("read"), Area.ofReals(1.5, 2));
        assertTrue(middle.conflictsWith(left));
        assertFalse(right.conflictsWith(left));
        assertFalse(left.conflictsWith(left));
        assertTrue(middle.covers(right));
        assertEquals("read [1.5..2.0]", right.toString());
        assertTrue(IO.entry("rw").conflictsWith(right));
        assertTrue(IO.entry("rw").covers(left));
    }

    @Test
    void answersLikeItsMatrix() {
        Random random = new Random(1);
        for (int round = 0; round < 200; round++) {
            AccessTable table = RandomTables.draw(random);
            for (Access a : table.entries()) {
                for (Access b : table.entries()) {
                    boolean dependences = table.entries().stream()
                            .allMatch(c -> (a.conflictsWith(c) || !b.conflictsWith(c))
                                    && (c.conflictsWith(a) || !c.conflictsWith(b)));
                    assertEquals(dependences && Mode.ofStranger(a).covers(Mode.ofStranger(b)), a.covers(b));
                }
            }
        }
    }

    @Test
    void asManyEntriesAsALongHasBits() {
        List<Kind> kinds = kinds(AccessTable.MOST_ENTRIES);
        boolean[][] dependsOn = new boolean[kinds.size()][kinds.size()];
        dependsOn[63][1] = true;
        AccessTable table = AccessTable.of(kinds, dependsOn);
        assertTrue(table.entry("k63").conflictsWith(table.entry("k1")));
        assertFalse(table.entry("k1").conflictsWith(table.entry("k63")));
        assertRefused(kinds(65), new boolean[65][65], "at most 64 entries, not 65");
    }

    private static List<Kind> kinds(int count) {
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> new Kind("k" + i, i > 0, i > 0))
                .toList();
    }

    @Test
    void refusesWhatIsNoTable() {
        assertRefused(List.of(RW, NONE), new boolean[3][2], "the matrix of 2 entries", "it has 3 rows");
        assertRefused(List.of(RW, NONE), new boolean[2][1], "the row of 'rw' has 1 columns");
        assertRefused(List.of(RW, NONE, RW), new boolean[3][3], "entries 0 and 2", "both named 'rw'");
        assertRefused(List.of(new Kind(" ", true, true), NONE), new boolean[2][2], "entry 0", "has no name");
        assertRefused(List.of(RW, READ), new boolean[2][2], "neither reads nor writes, like 'none'", "[rw, read]");
        assertRefused(List.of(), new boolean[0][0], "neither reads nor writes, like 'none'");
    }

    @Test
    void refusesDependencesThatBreakTheLaws() {
        List<Kind> kinds = List.of(RW, READ, SCAN, NONE);
        assertRefused(kinds, one(1, 2), "'read' depends on 'scan', but neither writes");
        assertRefused(kinds, one(1, 1), "'read' depends on 'read', but neither writes");
        assertRefused(kinds, one(0, 3), "'rw' depends on 'none', but 'none' neither reads nor writes");
        assertRefused(kinds, one(3, 0), "'none' depends on 'rw', but 'none' neither reads nor writes");
    }

    private static boolean[][] one(int row, int column) {
        boolean[][] dependsOn = new boolean[4][4];
        dependsOn[row][column] = true;
        return dependsOn;
    }

    @Test
    void anUnknownNameIsRefused() {
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> IO.entry("add")),
                "no entry 'add'",
                "rw, read, aadd, amul, none");
    }

    private static void assertRefused(List<Kind> kinds, boolean[][] dependsOn, String... parts) {
        assertMentions(assertThrows(IllegalArgumentException.class, () -> AccessTable.of(kinds, dependsOn)), parts);
    }
}
