package dev.jacquard.flow.runtime;

import org.jspecify.annotations.Nullable;

/**
 * An item with a slot of a bounded edge, on its way to a copy of the consumer, which frees the slot. Immutable, except
 * for the ticket: see {@link Numbered}.
 */
final class Slotted extends Numbered {
    private final Pool slots;

    private Slotted(Object item, long ticket, Pool slots) {
        super(item, ticket);
        this.slots = slots;
    }

    /** Returns {@code item} with the ticket and the slot, if any, of {@code other}, which does not go on. */
    static Numbered like(Numbered other, Object item) {
        Pool slots = other.slots();
        return slots == null ? new Numbered(item, other.ticket()) : new Slotted(item, other.ticket(), slots);
    }

    @Override
    Pool slots() {
        return slots;
    }

    /**
     * The consumer at the end of a bounded edge. Gives each item a slot, which its producer has taken.
     *
     * @param stage the consumer
     * @param slots the slots of the edge
     */
    record Sink(Stage stage, Pool slots) implements ItemSink {
        @Override
        public @Nullable Wakeable append(
                @Nullable Inbox box, @Nullable Object[] items, int count, @Nullable Wakeable woken) {
            @Nullable Object[] slotted = new @Nullable Object[count];
            for (int i = 0; i < count; i++) {
                Object item = items[i];
                assert item != null;
                slotted[i] = new Slotted(itemOf(item), ticketOf(item), slots);
            }
            return stage.append(box, slotted, count, woken);
        }

        @Override
        public @Nullable Wakeable producerDone(@Nullable Wakeable woken) {
            return stage.producerDone(woken);
        }

        @Override
        public @Nullable Inbox newInbox() {
            return stage.newInbox();
        }

        @Override
        public @Nullable TicketSet here() {
            return stage.here();
        }

        @Override
        public @Nullable Cycle cycle() {
            return stage.cycle();
        }

        @Override
        public int backlog() {
            return stage.backlog();
        }
    }
}
