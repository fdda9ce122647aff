package dev.jacquard.flow.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.testkit.Rounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Plans of routed items, in simulated time. */
class RoutedItemsTest {
    private static final int SEEDS = Rounds.some(200);
    private static final int FAST = 0;
    private static final int SLOW = 1;

    private long now;
    private final TimeModel model = new TimeModel();
    private final List<CopyLoad> copies = new ArrayList<>();
    private final @Nullable Object[] into = new @Nullable Object[1];

    private static List<Place> places(int targets) {
        return IntStream.range(0, targets)
                .mapToObj(i -> Place.device(ExecutionTarget.EMULATED, "device" + i, Place.FIRST_NUMBER + i))
                .toList();
    }

    /** Items are their own sizes; one copy per target. */
    private RoutedItems items(int targets) {
        List<Place> places = places(targets);
        RoutedItems items = new RoutedItems(
                "task",
                item -> (Integer) item,
                (item, problem) -> {
                    throw new AssertionError(problem);
                },
                () -> now,
                new TargetTimes(ItemTimes.of(model, "graph/task"), places));
        copies.clear();
        IntStream.range(0, targets).mapToObj(CopyLoad::new).forEach(copies::add);
        copies.forEach(items::add);
        return items;
    }

    /** A fast and a slow copy, with measured times of 10 and 50 for items of size 1. */
    private RoutedItems measured() {
        List<Place> places = places(2);
        for (int i = 0; i < 2; i++) {
            model.add("graph/task", places.get(FAST), 1, 10);
            model.add("graph/task", places.get(SLOW), 1, 50);
        }
        return items(2);
    }

    private static void add(RoutedItems items, Object... added) {
        items.add(added, 0, added.length);
    }

    private CopyLoad.@Nullable Taken take(RoutedItems items, int copy) {
        return items.take(copies.get(copy), into);
    }

    // ---- single decisions

    @Test
    void anIdleSlowCopyLeavesItemsThatABusyFastCopyEndsFirst() {
        RoutedItems items = measured();
        add(items, 1, 1, 1, 1, 1);
        assertNotNull(take(items, FAST)); // ends at 10, so that the four items end there at 20 to 50
        assertNull(take(items, SLOW));
        assertFalse(items.hasFor(copies.get(SLOW)));
        assertTrue(items.hasFor(copies.get(FAST)));
        add(items, 1);
        assertTrue(items.hasFor(copies.get(SLOW)));
        assertNotNull(take(items, SLOW)); // would end at 60
        assertEquals(4, items.size());
    }

    @Test
    void theItemIsTakenThatIsAssigned() {
        RoutedItems items = measured();
        List<Place> places = places(2);
        for (int i = 0; i < 2; i++) { // the slow one is the fast one for items of size 64
            model.add("graph/task", places.get(FAST), 64, 900);
            model.add("graph/task", places.get(SLOW), 64, 20);
        }
        add(items, 1, 1, 64, 1);
        CopyLoad.Taken taken = Objects.requireNonNull(take(items, SLOW));
        assertEquals(64, into[0]);
        assertEquals(7, taken.magnitude());
        assertEquals(20, taken.expected());
        assertEquals(3, items.size());
    }

    @Test
    void aLateCopyLosesItsItems() {
        RoutedItems items = measured();
        add(items, 1);
        assertNotNull(take(items, FAST));
        add(items, 1);
        assertFalse(items.hasFor(copies.get(SLOW)));
        now = 40;
        assertFalse(items.hasFor(copies.get(SLOW)), "30 late: expected to end at 70, and the next at 80");
        now = 60;
        assertTrue(items.hasFor(copies.get(SLOW)), "50 late: expected at 110 and 120");
    }

    @Test
    void aCopyThatWaitsForABufferLosesItsItemsAtOnce() {
        RoutedItems items = measured();
        add(items, 1);
        CopyLoad.Taken first = Objects.requireNonNull(take(items, FAST));
        add(items, 1);
        now = 4;
        copies.get(FAST).waits(now);
        assertTrue(items.hasFor(copies.get(SLOW)));
        now = 1_004;
        copies.get(FAST).goesOn(now);
        assertFalse(items.hasFor(copies.get(SLOW)));
        now = 1_010;
        assertEquals(10, copies.get(FAST).end(first, now, true), "without the wait");
    }

    @Test
    void targetsWithoutMeasurementsAreTriedFirstAndOneItemAtATime() {
        RoutedItems items = items(2);
        add(items, 1, 1, 1, 1, 1, 1);
        for (int round = 0; round < 2; round++) {
            CopyLoad.Taken fast = Objects.requireNonNull(take(items, FAST));
            CopyLoad.Taken slow = Objects.requireNonNull(take(items, SLOW));
            now += 10;
            items.ended(copies.get(FAST), fast, true);
            now += 40;
            items.ended(copies.get(SLOW), slow, true);
        }
        assertNotNull(take(items, FAST));
        assertNull(take(items, SLOW), "50 there; 20 at the other one");
    }

    @Test
    void aTargetWhereItemsFailIsNotTriedAgainAndAgain() {
        RoutedItems items = items(2);
        for (int i = 0; i < 4; i++) {
            add(items, 1, 1);
            CopyLoad.Taken fast = take(items, FAST);
            CopyLoad.Taken slow = take(items, SLOW);
            now += 10;
            if (fast != null) {
                items.ended(copies.get(FAST), fast, false); // at once
            }
            if (slow != null) {
                now += 40;
                items.ended(copies.get(SLOW), slow, true);
            }
        }
        items.clear();
        add(items, 1, 1, 1);
        assertNull(take(items, FAST));
        assertNotNull(take(items, SLOW));
        assertNull(take(items, FAST));
    }

    @Test
    void aCopyOutOfServiceGetsNothingWhileAnotherServes() {
        RoutedItems items = measured();
        copies.get(FAST).isOut = true;
        add(items, 1, 1);
        assertNull(take(items, FAST));
        assertNotNull(take(items, SLOW));
        copies.get(SLOW).isOut = true;
        assertNotNull(take(items, FAST), "all are out: the item fails there, and the run says why");
    }

    @Test
    void aTargetThatGotNoItemsIsTriedAgain() {
        RoutedItems items = measured();
        int tried = 0;
        for (int i = 0; i < 1_000; i++) {
            add(items, 1);
            CopyLoad.Taken slow = take(items, SLOW);
            tried += slow == null ? 0 : 1;
            int copy = slow == null ? FAST : SLOW;
            CopyLoad.Taken taken = slow == null ? Objects.requireNonNull(take(items, FAST)) : slow;
            now += slow == null ? 10 : 50;
            items.ended(copies.get(copy), taken, true);
            now += 1_000_000; // time without items is of no account
        }
        assertTrue(tried >= 2 && tried <= 4, () -> "1,000 items of 10 for 64 times 50");
    }

    // ---- whole streams

    /** The time of an item of size {@code size}, per unit of its size, which is constant within a magnitude. */
    private interface Rates {
        double of(int target, int started);
    }

    private record Course(double makespan, int[] items) {}

    /** Runs items that are all there at the begin; free copies look whenever one ends, or their patience does. */
    private Course simulate(RoutedItems items, List<Integer> sizes, Rates rates) {
        add(items, sizes.toArray());
        int started = 0;
        long[] ends = new long[copies.size()];
        CopyLoad.@Nullable Taken[] taken = new CopyLoad.@Nullable Taken[copies.size()];
        int[] counts = new int[copies.size()];
        long last = 0;
        while (items.size() > 0 || Arrays.stream(taken).anyMatch(Objects::nonNull)) {
            for (int i = 0; i < taken.length; i++) {
                CopyLoad.Taken its = taken[i] != null ? null : take(items, i);
                if (its != null) {
                    double nanos = rates.of(i, started++) * (1 << its.magnitude());
                    ends[i] = now + (long) nanos;
                    taken[i] = its;
                    counts[i]++;
                }
            }
            long next = Long.MAX_VALUE;
            for (int i = 0; i < taken.length; i++) {
                next = Math.min(
                        next, taken[i] != null ? ends[i] : now + 1 + (long) Math.max(0, items.patience(copies.get(i))));
            }
            now = Math.max(now, next);
            for (int i = 0; i < taken.length; i++) {
                CopyLoad.Taken its = taken[i];
                if (its != null && ends[i] <= now) {
                    items.ended(copies.get(i), its, true);
                    taken[i] = null;
                    last = now;
                }
            }
        }
        return new Course(last, counts);
    }

    private static double work(List<Integer> sizes) {
        return sizes.stream()
                .mapToDouble(size -> 1 << TargetTimes.magnitude(size))
                .sum();
    }

    @Test
    void randomStreamsEndNearTheOptimum() {
        double worst = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            int targets = 2 + random.nextInt(3);
            double[] rates = new double[targets];
            for (int i = 0; i < targets; i++) {
                rates[i] = 100 * Math.pow(20, random.nextDouble());
            }
            int largest = 1 << random.nextInt(4);
            List<Integer> sizes = IntStream.range(0, 1_000)
                    .mapToObj(i -> 1 + random.nextInt(largest))
                    .toList();
            now = 0;
            RoutedItems items = itemsOf("random " + seed, targets);
            Course course = simulate(items, sizes, (target, started) -> rates[target]);
            assertEquals(1_000, Arrays.stream(course.items()).sum());
            double optimum =
                    work(sizes) / Arrays.stream(rates).map(rate -> 1 / rate).sum();
            double[] each = new double[targets];
            for (int i = 0; i < sizes.size(); i++) {
                each[i % targets] += rates[i % targets] * (1 << TargetTimes.magnitude(sizes.get(i)));
            }
            double roundRobin = Arrays.stream(each).max().orElseThrow();
            double ratio = course.makespan() / optimum;
            worst = Math.max(worst, ratio);
            String what = "seed " + seed + ": " + ratio + " of the optimum, " + Arrays.toString(rates);
            assertTrue(ratio < 1.15, what);
            assertTrue(course.makespan() < 1.05 * roundRobin, what);
        }
        assertTrue(worst > 1, "the optimum is a bound");
    }

    private RoutedItems itemsOf(String name, int targets) {
        List<Place> places = places(targets);
        RoutedItems items = new RoutedItems(
                name,
                item -> (Integer) item,
                (item, problem) -> {
                    throw new AssertionError(problem);
                },
                () -> now,
                new TargetTimes(ItemTimes.of(new TimeModel(), name), places));
        copies.clear();
        IntStream.range(0, targets).mapToObj(CopyLoad::new).forEach(copies::add);
        copies.forEach(items::add);
        return items;
    }

    @Test
    void ratesThatChangeInTheMidstAreLearned() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            double fast = 100;
            double slow = fast * (2 + random.nextInt(15));
            List<Integer> sizes = IntStream.range(0, 4_000)
                    .mapToObj(i -> 1 + random.nextInt(4))
                    .toList();
            now = 0;
            Course course = simulate(
                    itemsOf("changes " + seed, 2),
                    sizes,
                    (target, started) -> (target == FAST) == (started < 2_000) ? fast : slow);
            double optimum = work(sizes) / (1 / fast + 1 / slow);
            assertTrue(course.makespan() < 1.2 * optimum, "seed " + seed + ": " + course.makespan() / optimum);
        }
    }

    @Test
    void aLongPlanForNothingIsNotMadeForEachItem() {
        RoutedItems items = measured();
        List<Place> places = places(2);
        for (int i = 0; i < 60; i++) {
            model.add("graph/task", places.get(SLOW), 1, 1e9);
        }
        RoutedItems many = items(2);
        add(many, IntStream.range(0, 800).mapToObj(i -> 1).toArray());
        assertNotNull(take(many, FAST));
        int plans = 0;
        for (int i = 0; i < 1_000; i++) {
            if (many.isPlanDue()) {
                plans++;
                copies.get(SLOW).isAsked = true;
                assertNull(many.next());
            }
        }
        assertTrue(plans <= 12, "plans: " + plans);
        assertEquals(0, items.size());
    }
}
