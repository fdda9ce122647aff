package dev.jacquard.flow.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.base.concurrent.Breakage;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Items from outside that wait in an inbox until the line of their task looks. */
class LineInboxTest {
    /** A task that takes one buffer for each item, and the input before it. */
    private static final class Taking {
        private final BufferGrants ledger = new BufferGrants(Clock.system(), () -> {}, new Breakage());
        private final Pool pool = HotPathStressTest.pool(ledger, true);
        private final Stage stage = StageTest.stage(ledger, new BufferNeed[] {new BufferNeed(pool, 1, 0)});
        private final Input input;
        private final Object[] one = new Object[1];

        Taking(int free, int bound) {
            pool.free = free;
            stage.addProducers(1);
            input = Racers.input(stage, bound, ledger);
        }

        void send(Object... items) {
            assertEquals(null, input.send(items, items.length));
        }

        /** Returns the next item that has its buffer; -1 if there is none. */
        int next() {
            return stage.take(one, 1, new CopyCounters(), null, new WakeList()) == 0
                    ? -1
                    : (int) Numbered.itemOf(one[0]);
        }

        void giveBack() {
            ledger.giveBack(pool, 0, false, new WakeList());
        }
    }

    /** The fences of Inbox.offer and Inbox.bell, and the look behind the bell. */
    @Test
    void noItemWaitsInTheInboxBesideAFreeBuffer() {
        Taking[] now = new Taking[1];
        Racers.race(
                1_000_000,
                round -> {
                    now[0] = new Taking(1, 0);
                    now[0].send(1); // granted
                    now[0].send(2); // waits, so that the sender need not tell of more
                },
                round -> now[0].send(3),
                round -> {
                    synchronized (now[0].ledger) { // two come back, and the line looks once
                        now[0].pool.free++;
                        now[0].giveBack();
                    }
                },
                round -> {
                    for (int i = 1; i <= 3; i++) {
                        assertEquals(i, now[0].next());
                    }
                });
    }

    /** The lock of the ledger around the inbox, over many laps of the ring. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, 300})
    void itemsGetTheirBuffersInOrder(int many) {
        Taking taking = new Taking(3, 0);
        int[] sent = new int[1];
        int[] taken = new int[1];
        Racers.race(
                1_000_000,
                round -> {},
                round -> {
                    for (int i = 0; i < 10; i++) {
                        Object[] items = new Object[many];
                        Arrays.setAll(items, at -> sent[0]++);
                        taking.send(items);
                    }
                },
                round -> {
                    for (int left = 10 * many; left > 0; ) {
                        int next = taking.next();
                        if (next >= 0) {
                            assertEquals(taken[0]++, next);
                            taking.giveBack();
                            left--;
                        }
                    }
                },
                round -> assertEquals(0, taking.stage.backlog()));
    }

    /** The free of the places under the stage's lock, together with the count there. */
    @Test
    void theBoundHoldsWhileItemsGetTheirBuffers() {
        int bound = 40;
        Taking taking = new Taking(3, bound);
        Object[] items = new Object[500];
        Arrays.fill(items, 1);
        Racers.race(
                1_000_000,
                round -> {},
                round -> {
                    for (int at = 0; at < items.length; ) {
                        at += taking.input.sendSome(items, at, new WakeList());
                    }
                },
                round -> {
                    for (int left = items.length; left > 0; ) {
                        if (taking.next() > 0) {
                            taking.giveBack();
                            left--;
                        }
                    }
                },
                round -> assertTrue(taking.stage.counts().largest() <= bound, () -> "" + taking.stage.counts()));
    }

    @Test
    void noItemIsForgottenWhenTheRunStops() {
        assertNoneIsForgotten(taking -> {
            taking.ledger.stop();
            taking.stage.stop(null);
        });
    }

    @Test
    void noItemIsForgottenWhenTheTaskEndsBeforeItsInput() {
        assertNoneIsForgotten(taking -> taking.stage.copyDone(new CopyCounters(), new WakeList()));
    }

    private static void assertNoneIsForgotten(Consumer<Taking> ends) {
        Taking[] now = new Taking[1];
        Racers.race(
                1_000_000,
                round -> {
                    now[0] = new Taking(0, 0);
                    now[0].send(1);
                },
                round -> ends.accept(now[0]),
                round -> now[0].send(2, 3),
                round -> assertEquals(3L, now[0].stage.counts().total().cancelled));
    }

    @Test
    void theInputIsNotClosedBeforeTheItemsInTheInboxAreTaken() {
        Taking taking = new Taking(0, 0);
        taking.send(1);
        taking.send(2);
        assertEquals(2, taking.stage.counts().queued());
        assertEquals(2, taking.stage.counts().gated());
        taking.input.finish();
        for (int i = 1; i <= 2; i++) {
            assertFalse(taking.stage.closed());
            taking.giveBack();
            assertEquals(i, taking.next());
        }
        assertTrue(taking.stage.closed());
    }
}
