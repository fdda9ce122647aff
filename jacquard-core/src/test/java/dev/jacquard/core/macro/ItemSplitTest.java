package dev.jacquard.core.macro;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The split of items in virtual time: strands that take items, hold them for a time, and take the next. */
class ItemSplitTest {
    private static final int ITEMS = 200;

    private long now;

    /** A place: its strands, its time per launch and per item, and the most items of a launch. */
    private record Kind(int strands, long launchNanos, long itemNanos, int batch) {
        double rate() {
            return (double) strands * batch / (launchNanos + itemNanos * batch);
        }
    }

    /** A strand that ends its items at a time. */
    private record Busy(int place, long end, long began, int items) {}

    /** Returns the time until all items are done. */
    private long makespan(List<Kind> kinds, boolean known) {
        now = 0;
        List<Side> sides = new ArrayList<>();
        for (Kind kind : kinds) {
            Place place = Place.device(ExecutionTarget.EMULATED, "place" + sides.size(), 2 + sides.size());
            sides.add(new Side(place, () -> now, known ? 1 / kind.rate() * kind.strands() : 0));
        }
        ItemSplit split = new ItemSplit(ITEMS, sides);
        BitSet taken = new BitSet();
        PriorityQueue<Busy> busy = new PriorityQueue<>((a, b) -> Long.compare(a.end, b.end));
        for (int place = 0; place < kinds.size(); place++) {
            for (int i = 0; i < kinds.get(place).strands(); i++) {
                busy.add(new Busy(place, 0, -1, 0));
            }
        }
        while (!busy.isEmpty()) {
            Busy next = busy.remove();
            now = next.end();
            Side side = sides.get(next.place());
            Kind kind = kinds.get(next.place());
            if (next.began() >= 0) {
                side.end(next.items(), next.items(), next.began());
            }
            long began = side.begin();
            long range = split.take(side, kind.batch());
            if (range == ItemSplit.NONE) {
                side.end(0, 0, began);
                continue;
            }
            int count = ItemSplit.count(range);
            for (int i = 0; i < count; i++) {
                assertTrue(!taken.get(ItemSplit.first(range) + i), "each item is taken once");
                taken.set(ItemSplit.first(range) + i);
            }
            busy.add(new Busy(next.place(), now + kind.launchNanos() + count * kind.itemNanos(), began, count));
        }
        assertEquals(ITEMS, taken.cardinality());
        assertEquals(ITEMS, sides.stream().mapToInt(Side::done).sum());
        assertEquals(0, split.left());
        return now;
    }

    private double share(List<Kind> kinds, boolean known) {
        double rates = kinds.stream().mapToDouble(Kind::rate).sum();
        return ITEMS / rates / makespan(kinds, known);
    }

    @Test
    void bothPlacesWorkAtTheSumOfTheirRates() {
        Kind host = new Kind(2, 0, 4_000_000, 1);
        for (Kind device : List.of(
                new Kind(4, 0, 4_000_000, 1),
                new Kind(1, 0, 4_000_000, 1),
                new Kind(4, 0, 1_000_000, 1),
                new Kind(4, 0, 8_000_000, 1))) {
            for (boolean known : new boolean[] {false, true}) {
                double share = share(List.of(host, device), known);
                assertTrue(share >= 0.9, () -> device + ", known " + known + ": " + share);
            }
        }
    }

    @Test
    void batchesStayLargeUntilTheEnd() {
        Kind host = new Kind(2, 0, 4_000_000, 1);
        double share = share(List.of(host, new Kind(2, 4_000_000, 0, 8)), true);
        assertTrue(share >= 0.9, () -> "" + share);
    }

    @Test
    void aSlowPlaceHoldsUpNoOther() {
        for (int seed = 0; seed < 1_000; seed++) {
            Random random = new Random(seed);
            List<Kind> kinds = new ArrayList<>();
            for (int i = 0; i < 2 + seed % 2; i++) {
                kinds.add(new Kind(1 + random.nextInt(6), 0, 1 + random.nextInt(1_000), 1));
            }
            double best = kinds.stream().mapToDouble(Kind::rate).max().orElseThrow();
            long slowest = kinds.stream().mapToLong(Kind::itemNanos).max().orElseThrow();
            int number = seed;
            long span = makespan(kinds, true);
            assertTrue(
                    span <= ITEMS / best + 2 * Math.min(slowest, 1_000),
                    () -> "seed " + number + ": " + kinds + " took " + span);
        }
    }
}
