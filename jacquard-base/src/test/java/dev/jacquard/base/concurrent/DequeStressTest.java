package dev.jacquard.base.concurrent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.jacquard.testkit.Rounds;
import dev.jacquard.testkit.Watchdog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is pushed is taken once. Needs: the fence and the CAS of pop, the CAS of steal. */
@Timeout(180)
class DequeStressTest {
    private static final int ROUNDS = 300_000;

    /** Few elements at a time: the owner and the thieves are always after the same last ones. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 1", "1, 2", "2, 2"})
    void everyElementIsTakenOnce(int elements, int thieves) {
        WorkDeque<AtomicInteger> deque = new WorkDeque<>(2, true);
        AtomicInteger ended = new AtomicInteger();
        List<CompletableFuture<Void>> stealing = new ArrayList<>();
        for (int i = 0; i < thieves; i++) {
            stealing.add(CompletableFuture.runAsync(
                    () -> {
                        while (ended.get() == 0) {
                            take(deque.steal());
                        }
                    },
                    task -> new Thread(task, "thief").start()));
        }
        List<AtomicInteger> taken = new ArrayList<>();
        Rounds.run(ROUNDS, round -> {
            for (int i = 0; i < elements; i++) {
                AtomicInteger element = new AtomicInteger();
                taken.add(element);
                deque.push(element);
            }
            for (int i = 0; i < elements; i++) {
                take(deque.pop());
            }
        });
        Watchdog.until(deque::isEmpty, "the deque is empty");
        ended.set(1);
        stealing.forEach(CompletableFuture::join);
        assertTakenOnce(taken);
    }

    /** Two thieves, always after the same oldest element. */
    @Test
    void thievesTakeNoElementTwice() {
        WorkDeque<AtomicInteger> deque = new WorkDeque<>(2, true);
        List<AtomicInteger> taken = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            AtomicInteger element = new AtomicInteger();
            taken.add(element);
            deque.push(element);
        }
        CountDownLatch together = new CountDownLatch(2);
        Runnable thief = () -> {
            together.countDown();
            Watchdog.until(() -> together.getCount() == 0, "both thieves are there");
            while (!deque.isEmpty()) {
                take(deque.steal());
            }
        };
        CompletableFuture<Void> other = CompletableFuture.runAsync(thief, task -> new Thread(task, "thief").start());
        thief.run();
        other.join();
        assertTakenOnce(taken);
    }

    private static void assertTakenOnce(List<AtomicInteger> elements) {
        for (int i = 0; i < elements.size(); i++) {
            assertEquals(1, elements.get(i).get(), "how often element " + i + " was taken");
        }
    }

    private static void take(@Nullable AtomicInteger element) {
        if (element != null) {
            element.incrementAndGet();
        }
    }
}
