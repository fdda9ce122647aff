package dev.jacquard.flow.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The consumers of one producer; each gets every item.
 *
 * <p>Threads: immutable; called by one thread at a time.
 */
final class Feed {
    private final BufferGrants ledger;
    private final ItemSink[] targets;
    /** Per target, the producer's inbox; null if it has none there. */
    private final @Nullable Inbox[] boxes;
    /**
     * The places of the consumers that want items with tickets: their items may still ask a memory edge. Items in the
     * inbox of a line get theirs when the line takes them.
     */
    private final TicketSet[] places;

    /**
     * Creates the feed of a producer.
     *
     * @param newInbox returns the producer's inbox at a consumer; null for none
     */
    Feed(ItemSink[] targets, BufferGrants ledger, Function<ItemSink, @Nullable Inbox> newInbox) {
        this.ledger = ledger;
        this.targets = targets;
        this.boxes = new @Nullable Inbox[targets.length];
        List<TicketSet> found = new ArrayList<>(targets.length);
        for (int i = 0; i < targets.length; i++) {
            boxes[i] = newInbox.apply(targets[i]);
            TicketSet here = targets[i].here();
            if (here != null && boxes[i] == null) {
                found.add(here);
            }
        }
        this.places = found.toArray(TicketSet[]::new);
    }

    boolean isEmpty() {
        return targets.length == 0;
    }

    /** Returns true if the producer has an inbox at every consumer, and none of these is a line's. */
    boolean hasInboxesOfStagesOnly() {
        return Arrays.stream(boxes).allMatch(Objects::nonNull)
                && Arrays.stream(targets).allMatch(target -> target.here() == null);
    }

    /** Returns true if no consumer wants tickets with its items. */
    boolean isPlain() {
        return places.length == 0;
    }

    /** Returns about the largest number of items that wait at a consumer; needs no lock. */
    int backlog() {
        int most = 0;
        for (ItemSink target : targets) {
            most = Math.max(most, target.backlog());
        }
        return most;
    }

    /**
     * Hands the first {@code count} of {@code items} to every consumer; returns the copies to wake.
     *
     * @param tickets the items' tickets; null, or 0 for an item that comes from outside
     */
    @Nullable
    Wakeable append(@Nullable Object[] items, long @Nullable [] tickets, int count) {
        Wakeable woken = null;
        @Nullable Object[] numbered = items;
        if (!isPlain()) {
            WakeList wakes = new WakeList();
            numbered = ledger.arrive(places, items, tickets, count, wakes);
            woken = wakes.detach();
        }
        for (int i = 0; i < targets.length; i++) {
            @Nullable Object[] given = boxes[i] != null || targets[i].here() == null ? items : numbered;
            woken = targets[i].append(boxes[i], given, count, woken);
        }
        return woken;
    }

    /**
     * Notifies the consumers that the producer is done; returns the copies to wake.
     *
     * @param own the circle that the producer is in; the consumers in it hold no token for it
     */
    @Nullable
    Wakeable close(@Nullable Cycle own) {
        Wakeable woken = null;
        for (ItemSink target : targets) {
            woken = target.producerDone(woken);
            Cycle circle = target.cycle();
            if (circle != null && circle != own) {
                woken = circle.give(1, woken);
            }
        }
        return woken;
    }
}
