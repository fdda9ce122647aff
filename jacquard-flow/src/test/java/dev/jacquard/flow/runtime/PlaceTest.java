package dev.jacquard.flow.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A place remembers the tickets that are there, and not those that have left. */
class PlaceTest {
    private static final long TICKETS = 1_000;

    private final TicketSet place = new TicketSet("stage", 0);

    @Test
    void ticketsThatHaveLeftAreForgottenThoughNobodyAsks() {
        for (long ticket = 0; ticket < TICKETS; ticket++) {
            place.arrive(ticket);
            assertEquals(1, place.remembered());
            place.leave(ticket);
            assertEquals(0, place.remembered());
        }
    }

    @Test
    void soAreThoseThatLeaveOutOfOrder() {
        for (long ticket = 0; ticket < TICKETS; ticket += 2) {
            place.arrive(ticket);
            place.arrive(ticket + 1);
            place.leave(ticket + 1);
            place.leave(ticket);
            assertEquals(0, place.remembered());
        }
        assertEquals(Long.MAX_VALUE, place.least());
    }
}
