package dev.jacquard.base.concurrent;

import static dev.jacquard.testkit.Messages.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The deque in one thread; {@code stress} has the races. */
class WorkDequeTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void behavesLikeAnOrdinaryDeque(boolean shared) {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            WorkDeque<Integer> deque = new WorkDeque<>(2, shared);
            Deque<Integer> model = new ArrayDeque<>();
            int pushes = 1 + random.nextInt(3);
            for (int i = 0; i < 400; i++) {
                int action = random.nextInt(2 + pushes);
                if (action >= 2) {
                    deque.push(i);
                    model.addLast(i);
                } else if (action == 1 && shared) {
                    assertEquals(model.pollFirst(), deque.steal(), "seed " + seed);
                } else {
                    assertEquals(model.pollLast(), deque.pop(), "seed " + seed);
                }
                assertEquals(model.isEmpty(), deque.isEmpty(), "seed " + seed);
            }
        }
    }

    @Test
    void keepsNothingAliveThatWasTaken() {
        WorkDeque<Object> deque = new WorkDeque<>(4, true);
        List<WeakReference<Object>> taken = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Object element = new byte[100];
            taken.add(new WeakReference<>(element));
            deque.push(element);
        }
        for (int i = 0; i < 20; i++) {
            assertTrue(deque.steal() != null);
            assertTrue(deque.pop() != null);
        }
        assertNull(deque.pop());
        for (int tries = 0; tries < 20 && taken.stream().anyMatch(it -> it.get() != null); tries++) {
            System.gc();
        }
        taken.forEach(it -> assertNull(it.get()));
        assertTrue(deque.isEmpty());
    }

    @Test
    void refusesACapacityThatIsNoPowerOfTwo() {
        assertMentions(
                assertThrows(IllegalArgumentException.class, () -> new WorkDeque<>(3, true)), "power of two, not 3");
        assertThrows(IllegalArgumentException.class, () -> new WorkDeque<>(Integer.MIN_VALUE, true));
    }
}
