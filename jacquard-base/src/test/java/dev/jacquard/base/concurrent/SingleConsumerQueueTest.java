package dev.jacquard.base.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class SingleConsumerQueueTest {
    private static final int MANY = 100_000;
    private static final long SMALL_STACK = 250_000;
    private static final int MOST_ROOM = 60;

    private final SingleConsumerQueue<Integer> queue = new SingleConsumerQueue<>();

    @Test
    void firstComesOutFirst() {
        assertEquals(0, queue.size());
        queue.add(1);
        queue.add(2);
        assertEquals(2, queue.size());
        assertEquals(1, queue.take());
        queue.add(3);
        assertEquals(2, queue.take());
        assertEquals(3, queue.take());
        assertEquals(0, queue.size());
    }

    @Test
    void isIdleWhileTheConsumerWaitsForMore() throws Exception {
        assertFalse(queue.isIdle(), "nobody takes");
        Thread consumer = Thread.ofPlatform().start(queue::take);
        while (!queue.isIdle()) {
            Thread.onSpinWait();
        }
        queue.add(1);
        consumer.join();
        assertFalse(queue.isIdle());
    }

    @Test
    void anInterruptTakesNothingAndStays() throws Exception {
        List<Object> seen = new ArrayList<>();
        Thread consumer = Thread.ofPlatform().start(() -> {
            seen.add(queue.take());
            seen.add(Thread.currentThread().isInterrupted());
        });
        consumer.interrupt();
        while (!queue.isIdle()) {
            Thread.onSpinWait();
        }
        queue.add(7);
        consumer.join();
        assertEquals(List.of(7, true), seen);
    }

    /** Two producers, each of whose elements come in their order; none is lost and none comes twice. */
    @Test
    void keepsTheOrderOfEachProducer() throws Exception {
        List<Thread> producers = new ArrayList<>();
        for (int parity = 0; parity < 2; parity++) {
            int first = parity;
            producers.add(Thread.ofPlatform().start(() -> {
                for (int i = first; i < MANY; i += 2) {
                    queue.add(i);
                }
            }));
        }
        int[] next = {0, 1};
        for (int i = 0; i < MANY; i++) {
            int element = queue.take();
            assertEquals(next[element % 2], element);
            next[element % 2] += 2;
        }
        for (Thread producer : producers) {
            producer.join();
        }
        assertEquals(0, queue.size());
    }

    /** Fills the stack, and adds with the room of some frames left. */
    private final class Descent {
        private int room;
        private boolean tried;

        Descent(int room) {
            this.room = room;
        }

        int deeper(int level) {
            try {
                return level < Integer.MAX_VALUE ? deeper(level + 1) : level;
            } catch (StackOverflowError full) {
                if (tried || room-- > 0) {
                    throw full;
                }
                tried = true;
                queue.add(1);
                return level;
            }
        }
    }

    @Test
    void aFullStackLeavesItUnlocked() throws Exception {
        for (int i = 0; i < 4 * MOST_ROOM; i++) {
            int room = i % MOST_ROOM;
            boolean[] added = new boolean[1];
            Thread full = new Thread(
                    null,
                    () -> {
                        try {
                            int _ = new Descent(room).deeper(0);
                            added[0] = true;
                        } catch (StackOverflowError e) {
                            // the element may be there all the same
                        }
                    },
                    "full",
                    SMALL_STACK);
            full.start();
            full.join();
            queue.add(2);
            int first = queue.take();
            assertTrue(first == 1 || !added[0], "lost with room " + room);
            assertEquals(2, first == 1 ? queue.take() : first);
            assertEquals(0, queue.size(), "room " + room);
        }
    }
}
