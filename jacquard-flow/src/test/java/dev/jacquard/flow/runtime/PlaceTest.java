package dev.jacquard.flow.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** A place remembers the tickets that are there, and not those that have left. */
class PlaceTest {
    private static final long TICKETS = 100_000;
    /** Of room for 16 tickets twice, and what the measurement itself may leave; room for all is 100 times as much. */
    private static final long FEW_BYTES = 16_384;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Place place = new Place("stage", 0);

    private void assertStaysSmall(LongConsumer each) {
        each.accept(0); // what is loaded and linked at first
        long before = threads.getCurrentThreadAllocatedBytes();
        for (long ticket = 1; ticket < TICKETS; ticket++) {
            each.accept(ticket);
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated <= FEW_BYTES, () -> allocated + " bytes for what has left");
    }

    @Test
    void ticketsThatHaveLeftNeedNoRoomThoughNobodyAsks() {
        assertStaysSmall(ticket -> {
            place.arrive(ticket);
            place.leave(ticket);
        });
        assertEquals(Long.MAX_VALUE, place.least());
    }

    @Test
    void neitherDoThoseThatLeaveOutOfOrder() {
        assertStaysSmall(pair -> {
            place.arrive(2 * pair);
            place.arrive(2 * pair + 1);
            place.leave(2 * pair + 1);
            place.leave(2 * pair);
        });
        assertEquals(Long.MAX_VALUE, place.least());
    }
}
