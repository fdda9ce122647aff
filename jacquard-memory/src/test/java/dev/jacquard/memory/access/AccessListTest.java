package dev.jacquard.memory.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.data.Resource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists of accesses, and the questions that the engine asks of them. */
class AccessListTest {
    private final Object owner = new Object();
    private final Resource whole = new Resource("whole", owner);
    private final Resource left = new Resource("left", owner, whole, false);
    private final Resource right = new Resource("right", owner, whole, false);
    private final Resource lock = new Resource("lock", owner, null, true);

    @Test
    void keepsTheOrderOfTheDeclaration() {
        AccessList list = AccessList.of(left, Mode.READ, right, Mode.UPDATE);
        assertEquals(2, list.size());
        assertFalse(list.isEmpty());
        assertSame(right, list.resource(1));
        assertSame(Mode.UPDATE, list.access(1));
        assertEquals("READ left, UPDATE right", list.toString());
        assertThrows(IndexOutOfBoundsException.class, () -> list.access(2));
        assertTrue(AccessList.of().isEmpty());
        assertEquals("", AccessList.of().toString());
    }

    @Test
    void aBuilderKeepsNothingOfAListThatItMade() {
        AccessList.Builder builder = AccessList.builder().add(left, Mode.READ);
        AccessList first = builder.build();
        AccessList both = builder.add(right, Mode.READ).add(whole, Mode.UPDATE).build();
        assertEquals(AccessList.of(left, Mode.READ), first);
        assertEquals("READ left, READ right, UPDATE whole", both.toString());
    }

    @Test
    void listsOfOneAccessAreSharedUntilAnotherModeComes() {
        AccessList first = AccessList.of(left, Mode.UPDATE);
        AccessList update = AccessList.of(left, Mode.UPDATE);
        assertEquals(first, update);
        assertNotSame(first, update); // a resource that is accessed once keeps no list
        assertSame(update, AccessList.builder().add(left, Mode.UPDATE).build());
        assertEquals("UPDATE right", AccessList.of(right, Mode.UPDATE).toString());
        assertEquals("READ left", AccessList.of(left, Mode.READ).toString());
        assertEquals("UPDATE left", AccessList.of(left, Mode.UPDATE).toString());
        Access part = Access.update(Area.of(0, 3));
        assertEquals(part, AccessList.of(left, part).access(0));
        assertSame(AccessList.of(left, Mode.UPDATE), AccessList.of(left, Mode.UPDATE));
        assertEquals(
                "READ left", AccessList.of(left, Mode.UPDATE).with(0, Mode.READ).toString());
        assertEquals("UPDATE left", AccessList.of(left, Mode.UPDATE).toString());
    }

    @Test
    void aBuilderSeesWhatItsAccessesOverwrite() {
        AccessList.Builder builder = AccessList.builder();
        assertFalse(builder.isOverwritten(left, Mode.READ));
        builder.add(left, Mode.WRITE);
        assertTrue(builder.isOverwritten(left, Mode.READ) && builder.isOverwritten(whole, Mode.UPDATE));
        assertFalse(builder.isOverwritten(right, Mode.READ) || builder.isOverwritten(left, Mode.WRITE));
        builder.add(right, Mode.WRITE);
        assertTrue(builder.isOverwritten(right, Mode.READ) && builder.isOverwritten(left, Mode.READ));
        assertEquals(2, builder.size());
        assertEquals("WRITE left, WRITE right", builder.build().toString());
    }

    @Test
    void aBuilderTakesMoreOrFewerAccessesThanItWasToldOf() {
        for (int expected : new int[] {0, 1, 3, 8}) {
            AccessList.Builder builder = new AccessList.Builder(expected);
            String text = "";
            for (int size = 1; size <= 5; size++) {
                builder.add(right, Mode.ADD);
                text += (size == 1 ? "" : ", ") + "ADD right";
                assertEquals(text, builder.build().toString());
            }
        }
    }

    @Test
    void oneAccessIsReplacedInACopy() {
        AccessList list = AccessList.of(left, Mode.UPDATE, right, Mode.UPDATE);
        AccessList less = list.with(1, Mode.READ);
        assertEquals("UPDATE left, READ right", less.toString());
        assertEquals("UPDATE left, UPDATE right", list.toString());
    }

    @Test
    void listsOfTheSameAccessesAreEqual() {
        AccessList list = AccessList.of(left, Access.update(Area.of(0, 3)));
        assertEquals(list, AccessList.of(left, Access.update(Area.of(0, 3))));
        assertEquals(
                list.hashCode(),
                AccessList.of(left, Access.update(Area.of(0, 3))).hashCode());
        assertFalse(list.equals(AccessList.of(left, Access.update(Area.of(0, 4)))));
    }

    @Test
    void aUnionHasEachAccessOnce() {
        AccessList one = AccessList.of(left, Mode.READ, right, Mode.UPDATE);
        AccessList other = AccessList.of(right, Mode.UPDATE, right, Mode.READ);
        assertEquals(
                "READ left, UPDATE right, READ right",
                AccessList.union(List.of(one, other)).toString());
    }

    @Test
    void aListHasThePartsOfWhatItNames() {
        AccessList list = AccessList.of(whole, Mode.READ);
        assertTrue(list.has(whole) && list.has(left));
        assertFalse(AccessList.of(left, Mode.READ).has(whole));
        assertTrue(list.has(whole, Mode.READ));
        assertFalse(list.has(left, Mode.READ) || list.has(whole, Mode.UPDATE));
        assertTrue(AccessList.of(left, Mode.READ).touches(whole) && list.touches(right));
        assertFalse(AccessList.of(left, Mode.READ).touches(right));
    }

    @Test
    void coversWhatItAllows() {
        AccessList list = AccessList.of(whole, Mode.UPDATE, lock, Access.update(Area.of(0, 3)));
        assertTrue(list.covers(left, Mode.READ) && list.covers(whole, Mode.UPDATE));
        assertTrue(list.covers(lock, Access.read(Area.of(1, 2))));
        assertFalse(list.covers(lock, Access.read(Area.of(1, 5))) || list.covers(lock, Mode.READ));
        assertFalse(AccessList.of(left, Mode.UPDATE).covers(whole, Mode.READ));
    }

    @Test
    void conflictsOfWholesAndPartsAreFound() {
        AccessList writesLeft = AccessList.of(left, Mode.UPDATE);
        AccessList readsWhole = AccessList.of(right, Mode.READ, whole, Mode.READ);
        assertTrue(readsWhole.conflictsWith(writesLeft) && writesLeft.conflictsWith(readsWhole));
        assertEquals(new AccessList.Conflict(whole, Mode.READ, Mode.UPDATE), readsWhole.conflict(writesLeft));
        assertTrue(readsWhole.reads(writesLeft));
        assertFalse(writesLeft.reads(readsWhole));
        assertNull(AccessList.of(right, Mode.UPDATE).conflict(writesLeft));
    }

    @Test
    void unorderedResourcesExcludeAndOrderNothing() {
        AccessList one = AccessList.of(left, Mode.READ, lock, Mode.UPDATE);
        AccessList other = AccessList.of(left, Mode.READ, lock, Mode.UPDATE);
        assertFalse(one.conflictsWith(other) || one.reads(other));
        assertTrue(one.excludes(other) && one.waitsFor(other));
        assertEquals(new AccessList.Conflict(lock, Mode.UPDATE, Mode.UPDATE), one.conflict(other));
        assertEquals("UPDATE lock", one.unordered().toString());
        AccessList ordered = AccessList.of(left, Mode.UPDATE);
        assertTrue(ordered.unordered().isEmpty() && ordered.waitsFor(one));
        assertFalse(ordered.excludes(one));
    }

    @Test
    void aListThatIsAllUnorderedIsItsOwn() {
        AccessList list = AccessList.of(lock, Mode.READ);
        assertSame(list, list.unordered());
    }

    @Test
    void visitorsSeeAll() {
        List<Resource> seen = new ArrayList<>();
        AccessList.of(left, Mode.READ, right, Mode.UPDATE).each((resource, access) -> seen.add(resource));
        assertEquals(List.of(left, right), seen);
    }

    @Test
    void theTextOfAnAccessThatThrowsIsTold() {
        Access mute = new Access() {
            @Override
            public boolean conflictsWith(Access earlier) {
                return Mode.READ.conflictsWith(earlier);
            }

            @Override
            public boolean covers(Access other) {
                return Mode.READ.covers(other);
            }

            @Override
            public boolean reads() {
                return true;
            }

            @Override
            public boolean writes() {
                return false;
            }

            @Override
            public String toString() {
                throw new IllegalStateException("no text");
            }
        };
        String text = AccessList.of(left, Mode.READ, right, mute).toString();
        assertTrue(text.startsWith("READ left") && text.contains("no text"), text);
    }
}
