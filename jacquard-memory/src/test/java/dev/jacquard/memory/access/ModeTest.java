package dev.jacquard.memory.access;

import static dev.jacquard.memory.access.Mode.ADD;
import static dev.jacquard.memory.access.Mode.MUL;
import static dev.jacquard.memory.access.Mode.NONE;
import static dev.jacquard.memory.access.Mode.READ;
import static dev.jacquard.memory.access.Mode.UPDATE;
import static dev.jacquard.memory.access.Mode.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ModeTest {
    @Test
    void conflictsAreTheDocumentsTable() {
        EnumSet<Mode> all = EnumSet.complementOf(EnumSet.of(NONE));
        assertConflicts(READ, EnumSet.of(UPDATE, WRITE, ADD, MUL));
        assertConflicts(UPDATE, all);
        assertConflicts(WRITE, all);
        assertConflicts(ADD, EnumSet.of(READ, UPDATE, WRITE, MUL));
        assertConflicts(MUL, EnumSet.of(READ, UPDATE, WRITE, ADD));
        assertConflicts(NONE, EnumSet.noneOf(Mode.class));
    }

    private static void assertConflicts(Mode later, Set<Mode> expected) {
        for (Mode earlier : Mode.values()) {
            assertEquals(expected.contains(earlier), later.conflictsWith(earlier), later + " after " + earlier);
        }
    }

    @Test
    void demotionFollowsTheDocumentsOrder() {
        assertCovers(READ, EnumSet.of(READ, NONE));
        assertCovers(UPDATE, EnumSet.allOf(Mode.class));
        assertCovers(WRITE, EnumSet.allOf(Mode.class));
        assertCovers(ADD, EnumSet.of(ADD, NONE));
        assertCovers(MUL, EnumSet.of(MUL, NONE));
        assertCovers(NONE, EnumSet.of(NONE));
    }

    private static void assertCovers(Mode mode, Set<Mode> expected) {
        for (Mode part : Mode.values()) {
            assertEquals(expected.contains(part), mode.covers(part), mode + " and " + part);
            assertEquals(expected.contains(part), mode.covers(new AreaAccess(part, Area.of(0, 1))), mode + " " + part);
        }
    }

    @Test
    void atomicModesReadAndWrite() {
        assertEquals(EnumSet.of(READ, UPDATE, ADD, MUL), those(true));
        assertEquals(EnumSet.of(UPDATE, WRITE, ADD, MUL), those(false));
    }

    private static Set<Mode> those(boolean reading) {
        EnumSet<Mode> found = EnumSet.noneOf(Mode.class);
        for (Mode mode : Mode.values()) {
            if (reading ? mode.reads() : mode.writes()) {
                found.add(mode);
            }
        }
        return found;
    }

    @Test
    void strangersCountAsWhatTheyReadAndWrite() {
        assertSame(UPDATE, Mode.ofStranger(ADD));
        assertSame(WRITE, Mode.ofStranger(Access.write(Area.of(0, 1))));
        assertSame(READ, Mode.ofStranger(READ));
        assertSame(NONE, Mode.ofStranger(Access.none()));
    }

    @Test
    void factoriesGiveModesAndAreas() {
        Area area = Area.of(0, 1);
        assertSame(ADD, Access.add());
        assertSame(MUL, Access.mul());
        assertEquals(new AreaAccess(ADD, area), Access.add(area));
        assertEquals(new AreaAccess(MUL, area), Access.mul(area));
    }
}
