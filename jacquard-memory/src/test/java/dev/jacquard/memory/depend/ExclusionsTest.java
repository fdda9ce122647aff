package dev.jacquard.memory.depend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.access.Access;
import dev.jacquard.memory.access.AccessList;
import dev.jacquard.memory.access.Area;
import dev.jacquard.memory.access.Mode;
import dev.jacquard.memory.data.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks, here names, that hold unordered resources and wait for them. */
class ExclusionsTest {
    private final Object owner = new Object();
    private final Resource lock = new Resource("lock", owner, null, true);
    private final Exclusions<String, String> exclusions = new Exclusions<>();

    private boolean take(String task, long rank, Resource resource, Access access) {
        return take(task, rank, AccessList.of(resource, access));
    }

    private boolean take(String task, long rank, AccessList accesses) {
        List<String> told = new ArrayList<>();
        boolean holds = exclusions.take(task, rank, accesses, new Noted(told));
        assertEquals(List.of(), told);
        return holds;
    }

    private record Noted(List<String> told) implements Exclusions.Told<String> {
        @Override
        public void spoiled(String why) {
            told.add(why);
        }

        @Override
        public void broken(Throwable error) {
            told.add(error.toString());
        }
    }

    /** An access whose hashCode, or equals, throws as often as it is told to. */
    private static final class Broken implements Access {
        private final boolean hashes;
        private final AtomicInteger throwsStill;

        Broken(boolean hashes, int times) {
            this.hashes = hashes;
            this.throwsStill = new AtomicInteger(times);
        }

        private void mayThrow() {
            if (throwsStill.getAndDecrement() > 0) {
                throw new IllegalStateException("broken");
            }
        }

        @Override
        public boolean conflictsWith(Access earlier) {
            return true;
        }

        @Override
        public boolean covers(Access other) {
            return true;
        }

        @Override
        public boolean reads() {
            return true;
        }

        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public int hashCode() {
            if (hashes) {
                mayThrow();
            }
            return 1;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (!hashes) {
                mayThrow();
            }
            return this == other;
        }
    }

    @ParameterizedTest
    @CsvSource({"true,1", "true,2", "true,1000", "false,1", "false,1000"})
    void anAccessThatCannotBeComparedFailsItsOwnTasksAlone(boolean hashes, int times) {
        assertTrue(take("first", 0, lock, new Broken(true, 0)));
        List<String> told = new ArrayList<>();
        AccessList broken = AccessList.of(lock, new Broken(hashes, times));
        assertFalse(exclusions.take("breaks", 0, broken, new Noted(told)));
        assertFalse(exclusions.take("too", 0, broken, new Noted(told)));
        assertFalse(take("last", 0, lock, new Broken(true, 0)));
        assertTrue(exclusions.waits().stream().anyMatch(wait -> wait.waiter().equals("breaks")));
        List<String> order = new ArrayList<>();
        for (List<String> next = exclusions.release("first", null); !next.isEmpty(); ) {
            order.addAll(next);
            next = exclusions.release(next.getFirst(), "failed");
        }
        assertEquals(Set.of("breaks", "too", "last"), Set.copyOf(order));
        assertTrue(told.contains("java.lang.IllegalStateException: broken"), told.toString());
        assertEquals(0, exclusions.size());
    }

    @Test
    void theLongestWaitingComesFirst() {
        assertTrue(take("a", 0, lock, Mode.UPDATE));
        assertFalse(take("b", 0, lock, Mode.UPDATE));
        assertFalse(take("c", 0, lock, Mode.UPDATE));
        assertEquals(List.of("b"), exclusions.release("a", null));
        assertEquals(List.of("c"), exclusions.release("b", null));
        assertEquals(List.of(), exclusions.release("c", null));
        assertEquals(0, exclusions.size());
    }

    @Test
    void theLeastRankComesFirstButOvertakesTheOldestFourTimesOnly() {
        assertTrue(take("holder", 0, lock, Mode.UPDATE));
        assertFalse(take("old", 9, lock, Mode.UPDATE));
        for (int i = 0; i < 6; i++) {
            assertFalse(take("urgent " + i, -1, lock, Mode.UPDATE));
        }
        List<String> order = new ArrayList<>();
        for (String holder = "holder"; holder != null; ) {
            List<String> next = exclusions.release(holder, null);
            order.addAll(next);
            holder = next.isEmpty() ? null : next.getFirst();
        }
        assertEquals(List.of("urgent 0", "urgent 1", "urgent 2", "urgent 3", "old", "urgent 4", "urgent 5"), order);
    }

    @Test
    void readersThatKeepComingDoNotStarveAWriter() {
        assertTrue(take("reader 0", 0, lock, Mode.READ));
        assertFalse(take("writer", 0, lock, Mode.UPDATE));
        int readers = 1;
        while (take("reader " + readers, 0, lock, Mode.READ)) {
            readers++;
        }
        assertEquals(5, readers);
        for (int i = 0; i < readers - 1; i++) {
            assertEquals(List.of(), exclusions.release("reader " + i, null));
        }
        assertEquals(List.of("writer"), exclusions.release("reader " + (readers - 1), null));
        assertEquals(List.of("reader " + readers), exclusions.release("writer", null));
    }

    @Test
    void aHolderThatGivesUpItsAreaLetsThoseBehindItGo() {
        assertTrue(take("a", 0, lock, Access.update(Area.of(0, 9))));
        assertFalse(take("b", 0, lock, Access.update(Area.of(5, 5))));
        assertEquals(List.of("b"), exclusions.shrink("a", AccessList.of(lock, Access.update(Area.of(0, 4)))));
        assertEquals(List.of(), exclusions.release("a", null));
        assertEquals(List.of(), exclusions.release("b", null));
        assertEquals(0, exclusions.size());
    }

    /** With a look at all that failed for each task this would take longer than a build. */
    @Test
    @Timeout(180)
    void manyFailuresOfOthersCostATaskNothing() {
        int many = 150_000;
        for (int i = 0; i < many; i++) {
            Resource its = new Valued("value " + i, null);
            assertTrue(take("fails " + i, 0, its, Mode.UPDATE));
            exclusions.release("fails " + i, "poison");
        }
        for (int i = 0; i < many; i++) {
            assertTrue(take("later " + i, 0, lock, Mode.UPDATE));
            exclusions.release("later " + i, null);
        }
    }

    /** What fails here is a part of {@code whole}, or of no other for null, and nobody has it then. */
    private void partFails(@Nullable Resource whole) {
        Resource its = new Valued("part", whole);
        assertTrue(take("fails", 0, its, Mode.UPDATE));
        exclusions.release("fails", "poison");
    }

    /** Whether at most {@code most} are poisoned once what nobody has is collected. */
    private boolean keepsAtMost(int most, Runnable meanwhile) {
        for (int tries = 0; tries < 20; tries++) {
            System.gc();
            meanwhile.run();
            if (exclusions.poisoned() <= most) {
                return true;
            }
        }
        return false;
    }

    @Test
    void whatNobodyHasIsForgotten() {
        for (int i = 0; i < 100; i++) {
            partFails(null);
        }
        assertTrue(keepsAtMost(0, () -> {}), () -> exclusions.poisoned() + " are kept");
    }

    @Test
    void aWholeIsPoisonedByPartsThatNobodyHas() {
        Resource other = new Valued("other", lock);
        Resource group = new Valued("group", lock);
        for (int i = 0; i < 100; i++) {
            partFails(group);
        }
        assertTrue(keepsAtMost(2, () -> partFails(group)), () -> exclusions.poisoned() + " are kept");
        assertTrue(take("other", 0, other, Mode.UPDATE));
        assertTrue(take("of the group", 0, new Valued("new", group), Mode.UPDATE));
        exclusions.release("other", null);
        exclusions.release("of the group", null);
        for (Resource whole : List.of(group, lock)) {
            List<String> told = new ArrayList<>();
            assertTrue(exclusions.take("whole", 0, AccessList.of(whole, Mode.READ), new Noted(told)));
            assertEquals(List.of("poison"), told);
            exclusions.release("whole", null);
        }
        assertTrue(take("anew", 0, group, Mode.WRITE));
        assertEquals(2, exclusions.poisoned(), "it may fail yet");
        exclusions.release("anew", null);
        assertTrue(take("whole", 0, lock, Mode.UPDATE));
        assertEquals(0, exclusions.poisoned());
    }

    private final class Valued extends Resource {
        Valued(String name, @Nullable Resource whole) {
            super(name, owner, whole, true);
        }

        @Override
        public boolean hasValue() {
            return true;
        }
    }

    @Test
    void aLockIsNotPoisoned() {
        assertTrue(take("fails", 0, lock, Mode.UPDATE));
        exclusions.release("fails", "poison");
        assertTrue(take("later", 0, lock, Mode.UPDATE));
    }

    /** Holders, waiters and wakings against a list of all of them. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void conflictingTasksNeverHoldAtOnceAndAllHoldInTheEnd(long seed) {
        Random random = new Random(seed);
        List<Resource> resources = new ArrayList<>(List.of(lock));
        for (int i = 0; i < 5; i++) {
            Resource parent = random.nextBoolean() ? resources.get(random.nextInt(resources.size())) : null;
            resources.add(new Resource("r" + i, owner, parent, true));
        }
        resources.add(new Resource("ordered", owner));
        Map<String, AccessList> holding = new LinkedHashMap<>();
        Map<String, AccessList> waiting = new LinkedHashMap<>();
        for (int step = 0; step < 20_000 || !holding.isEmpty(); step++) {
            if (step < 20_000 && random.nextInt(5) < (waiting.size() > 60 ? 1 : 3)) {
                String task = "t" + step;
                AccessList accesses = accesses(random, resources);
                if (take(task, random.nextInt(2), accesses)) {
                    hold(task, accesses, holding);
                } else {
                    waiting.put(task, accesses);
                }
            } else if (!holding.isEmpty()) {
                List<String> tasks = List.copyOf(holding.keySet());
                String task = tasks.get(random.nextInt(tasks.size()));
                AccessList held = Objects.requireNonNull(holding.remove(task));
                List<String> granted;
                if (random.nextInt(4) == 0 && !held.isEmpty()) {
                    AccessList less = held.with(0, Mode.READ);
                    granted = held.access(0).covers(Mode.READ)
                            ? exclusions.shrink(task, less)
                            : exclusions.release(task, null);
                    if (held.access(0).covers(Mode.READ)) {
                        holding.put(task, less);
                    }
                } else {
                    granted = exclusions.release(task, null);
                }
                granted.forEach(each -> hold(each, Objects.requireNonNull(waiting.remove(each)), holding));
            }
            assertTrue(waiting.isEmpty() || !holding.isEmpty(), "nothing is held, and these wait: " + waiting.keySet());
        }
        assertTrue(waiting.isEmpty());
        assertEquals(0, exclusions.size());
    }

    private static AccessList accesses(Random random, List<Resource> resources) {
        Access[] kinds = {
            Mode.READ,
            Mode.UPDATE,
            Mode.WRITE,
            Access.update(Area.of(0, 3)),
            Access.update(Area.of(2, 7)),
            Access.read(Area.of(3, 5))
        };
        AccessList.Builder accesses = AccessList.builder();
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            accesses.add(resources.get(random.nextInt(resources.size())), kinds[random.nextInt(kinds.length)]);
        }
        return accesses.build();
    }

    private static void hold(String task, AccessList accesses, Map<String, AccessList> holding) {
        holding.forEach((other, its) -> {
            for (int i = 0; i < accesses.size(); i++) {
                for (int j = 0; j < its.size(); j++) {
                    assertFalse(
                            excludes(accesses.resource(i), accesses.access(i), its.resource(j), its.access(j)),
                            task + " and " + other + " hold " + accesses.resource(i) + " at once");
                }
            }
        });
        holding.put(task, accesses);
    }

    private static boolean excludes(Resource mine, Access how, Resource theirs, Access known) {
        if (!mine.isUnordered() || !theirs.isUnordered()) {
            return false;
        }
        if (mine == theirs) {
            return how.conflictsWith(known);
        }
        return (mine.isWithin(theirs) || theirs.isWithin(mine)) && how.whole().conflictsWith(known.whole());
    }
}
