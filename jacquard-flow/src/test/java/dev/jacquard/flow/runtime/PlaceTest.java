package dev.jacquard.flow.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A place remembers the tickets that are there, and not those that have left; a line knows its eldest item. */
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

    @Test
    void theLeastTicketIsKnownInAnyOrder() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            TicketSet tickets = new TicketSet("stage", 0);
            List<Long> here = new ArrayList<>();
            int disorder = random.nextInt(40);
            for (int step = 0; step < TICKETS; step++) {
                if (random.nextInt(3) > 0) {
                    long ticket = (long) step + random.nextInt(disorder + 1);
                    tickets.arrive(ticket);
                    here.add(ticket);
                } else if (!here.isEmpty()) {
                    tickets.leave(here.remove(random.nextInt(Math.min(here.size(), disorder + 1))));
                }
                long least = here.stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
                assertEquals(least, tickets.least(), "seed " + seed);
            }
        }
    }

    @Test
    void theEldestItemComesFirstInAnyOrder() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            InOrder items = new InOrder();
            List<Granted> here = new ArrayList<>();
            int disorder = random.nextInt(40);
            for (int step = 0; step < TICKETS; step++) {
                if (random.nextInt(3) > 0) {
                    long ticket = (long) step / 2 + random.nextInt(disorder + 1);
                    Granted item = new Granted(new BufferNeed[0], "item", ticket, step, 0);
                    items.add(item);
                    here.add(item);
                } else if (!here.isEmpty()) {
                    Granted eldest = Collections.min(
                            here,
                            Comparator.comparingLong((Granted item) -> item.ticket())
                                    .thenComparingLong(item -> item.serial));
                    assertSame(eldest, items.element(), "seed " + seed);
                    assertSame(eldest, items.remove(), "seed " + seed);
                    here.remove(eldest);
                }
                assertEquals(here.size(), items.size(), "seed " + seed);
            }
        }
    }
}
