package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.memory.data.Box;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An index finds what going through all of them finds. */
class BoxIndexTest {
    private record Named(Box box, int number) implements Boxed {}

    private static Box draw(SplittableRandom random, int dimensions) {
        long[] from = new long[dimensions];
        long[] to = new long[dimensions];
        for (int d = 0; d < dimensions; d++) {
            from[d] = random.nextInt(60);
            to[d] = from[d] + 1 + (random.nextBoolean() ? random.nextInt(4) : random.nextInt(64));
        }
        return Box.of(from, to);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void findsWhatAListFinds(int dimensions) {
        for (long seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            BoxIndex<Named> index = new BoxIndex<>();
            List<Named> list = new ArrayList<>();
            for (int step = 0; step < 200; step++) {
                if (random.nextInt(4) > 0 || list.isEmpty()) {
                    Named one = new Named(draw(random, dimensions), step);
                    index.add(one);
                    list.add(one);
                } else {
                    index.remove(list.remove(random.nextInt(list.size())));
                }
                compare(index, list, draw(random, dimensions), "seed " + seed);
                if (!list.isEmpty()) {
                    compare(index, list, list.get(random.nextInt(list.size())).box(), "seed " + seed);
                }
            }
        }
    }

    private static void compare(BoxIndex<Named> index, List<Named> list, Box box, String seed) {
        assertEquals(list.size(), index.size(), seed);
        assertEquals(new HashSet<>(list), new HashSet<>(index.all()), seed);
        List<Named> meeting = index.meeting(box);
        assertEquals(meeting.size(), new HashSet<>(meeting).size(), seed);
        assertEquals(
                new HashSet<>(
                        list.stream().filter(one -> one.box().intersects(box)).toList()),
                new HashSet<>(meeting),
                seed);
        for (Named one : list) {
            if (one.box().equals(box)) {
                assertEquals(one, index.exactly(box, other -> other.number() == one.number()), seed);
            }
            if (one.box().contains(box)) {
                assertEquals(one, index.containing(box, other -> other.number() == one.number()), seed);
            }
        }
        Named larger = index.containing(box, any -> true);
        boolean some = list.stream().anyMatch(one -> one.box().contains(box));
        assertEquals(some, larger != null, seed);
        if (some) {
            assertNotNull(larger);
            assertTrue(larger.box().contains(box), seed);
        }
    }
}
