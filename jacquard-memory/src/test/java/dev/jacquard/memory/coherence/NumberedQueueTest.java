package dev.jacquard.memory.coherence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue by numbers answers as a sorted map does. */
class NumberedQueueTest {
    /** @param removals of ten steps, on average */
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 8})
    void answersAsASortedMap(int removals) {
        SplittableRandom random = new SplittableRandom(removals);
        NumberedQueue<String> queue = new NumberedQueue<>();
        TreeMap<Long, String> expected = new TreeMap<>();
        long number = 0;
        for (int step = 0; step < 20_000; step++) {
            if (random.nextInt(10) >= removals) {
                number += 1 + random.nextInt(3);
                queue.add(number, "thing " + number);
                expected.put(number, "thing " + number);
            } else {
                boolean eldest = random.nextBoolean() && !expected.isEmpty();
                long gone = eldest ? expected.firstKey() : random.nextLong(number + 2);
                assertEquals(expected.remove(gone), queue.remove(gone));
            }
            assertEquals(expected.isEmpty(), queue.isEmpty());
            long before = random.nextInt(4) == 0 ? Long.MAX_VALUE : random.nextLong(number + 3);
            assertEquals(expected.lowerEntry(before), newest(queue, before), "step " + step);
        }
    }

    private static Map.@Nullable Entry<Long, String> newest(NumberedQueue<String> queue, long before) {
        long place = queue.below(before);
        while (place >= queue.first() && queue.at(place) == null) {
            place--;
        }
        return place < queue.first() ? null : Map.entry(queue.number(place), Objects.requireNonNull(queue.at(place)));
    }

    @Test
    void isReadFromItsFirstToItsNewest() {
        NumberedQueue<String> queue = new NumberedQueue<>();
        for (long number = 1; number <= 100; number++) {
            queue.add(number, "thing " + number);
        }
        queue.remove(1);
        queue.remove(50);
        queue.remove(100);
        assertEquals(2, queue.number(queue.first()));
        assertEquals(99, queue.number(queue.below(Long.MAX_VALUE)));
        assertNull(queue.at(queue.below(51)));
    }
}
