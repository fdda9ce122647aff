package dev.jacquard.flow.runtime;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The items of one stage that wait for buffers. The eldest waiting ticket decides when the line is in turn; the stage's
 * order decides which item gets the buffers then. Without an order, the eldest item gets them.
 *
 * <p>An item that overtakes an elder item, and may ask again further down, must not keep a younger ticket: it would
 * hold buffers and wait for the elder item, which waits here for these buffers. Nor may it take the ticket of the elder
 * item: other items of that ticket are on their way, and the pools are large enough for those that stem from one item
 * from outside, not for a mixture.
 *
 * <pre>
 *  no item here holds anything    the item gets a ticket that no other has, before all that wait: see Overtaking
 *  no item here may ask again     the item keeps its ticket, and ends in any case
 *  otherwise                      no item overtakes: the order decides among items of one ticket
 * </pre>
 *
 * <p>Why the new ticket leaves the guarantee of the package as it is. The proof needs that (1) the items of one ticket
 * stem from one item from outside, and that (2) no item with a larger ticket holds a buffer, in turn, of an edge that
 * an item on its way may ask. To (1): no other item has the new ticket, so its items are those that stem from one item
 * here, and the old ticket is left with fewer. To (2): let {@code e} be an edge that the item may ask, and {@code t}
 * the eldest ticket that waits here. Items with larger tickets than {@code t} hold nothing of {@code e} in turn, since
 * the item with {@code t} may ask {@code e}, too. Of all others that do, {@link Pool#newest} is the largest ticket, and
 * the new ticket is larger. If one with {@code t} does, in another branch of the graph, there is no such ticket: then
 * the order decides among the items with {@code t}. All other tickets stay as they are. An item that has a slot of the
 * edge on which it came only gets an elder ticket, which (2) allows.
 *
 * <p>Threads: all fields are guarded by the {@link BufferGrants}.
 */
final class Line implements Request {
    private final Stage stage;
    private final BufferNeed[] needs;
    /** The place of the items that wait here, including items that are still to be appended. */
    final TicketSet place;
    /** The place of the items that have their buffers; null if these cannot lead to another request. */
    final @Nullable TicketSet past;

    /** True if no task before this one takes buffers. */
    private final boolean first;
    /** The tickets of items that overtake; null if none may, or they keep theirs. */
    private final @Nullable Overtaking overtaking;

    private final InOrder eldest = new InOrder();
    private final @Nullable PriorityItems ordered;
    /** The tickets of the waiting items, if an order other than that of tickets decides. */
    private final TicketSet tickets;
    /** The place with a least ticket before the first of this line; null if the line waits for no place. */
    private @Nullable TicketSet blockedAt;
    /**
     * The items from outside that have no ticket yet; null if they come with theirs. They come after all items that
     * have one. Written before the start.
     */
    private @Nullable Inbox inbox;
    /** The time of the last arrival or grant. */
    private long latestNanos;
    /** True if the stage knows that items wait here. */
    private boolean starves;
    /** The items on their way from the inbox to this line. */
    private final Ring taken = new Ring();
    /** The times at which these were sent. */
    private long[] takenSince = {};

    Line(Stage stage, StageSetup setup) {
        this.stage = stage;
        this.needs = setup.needs;
        this.first = setup.isFirstTaker;
        this.place = Objects.requireNonNull(setup.here);
        this.past = setup.past;
        this.overtaking = setup.overtaking;
        this.ordered = setup.ordered(overtaking == null && past != null);
        this.tickets = new TicketSet(place.of, place.depth);
    }

    /** Adds an item that waits for buffers since {@code now}. */
    void add(Object queued, GrantState state, long now) {
        latestNanos = now;
        Granted item = new Granted(needs, queued, Numbered.ticketOf(queued), state.serial++, now);
        if (ordered == null) {
            eldest.add(item);
        } else {
            ordered.add(new Object[] {item}, 0, 1);
            tickets.arrive(item.ticket());
            discardFailed(ordered);
        }
    }

    /** Creates the inbox for items from outside. Called before the start only. */
    Inbox newInbox(GrantState state) {
        Inbox box = new Inbox(state.clock);
        box.bell(true);
        inbox = box;
        takenSince = new long[Inbox.CAPACITY];
        return box;
    }

    /** Returns the number of items in the inbox of {@code line}, if there are both. Called by any thread. */
    static int sent(@Nullable Line line) {
        return line == null || line.inbox == null ? 0 : line.inbox.size();
    }

    /** Adds items to the inbox, as many as there is room for; returns their number. Called by the sender. */
    int offer(@Nullable Object[] items, int from, int count) {
        return Objects.requireNonNull(inbox).offer(items, from, count);
    }

    /** Takes the items that are in the inbox, and gives them their tickets. */
    private void collect(GrantState state) {
        Inbox box = inbox;
        int count = box == null ? 0 : box.timesTo(takenSince);
        if (box == null || count == 0) {
            return;
        }
        box.move(count, taken);
        boolean wanted = stage.expect(count, box);
        if (stage.setup.isRoomAwaited) {
            state.signal.run(); // concurrent queries for room have counted them twice
        }
        if (!wanted) {
            taken.clear();
            return;
        }
        if (state.stopped) {
            taken.clear();
            refuse(count);
            return;
        }
        for (int i = 0; i < count; i++) {
            long ticket = state.next();
            place.arrive(ticket);
            eldest.add(new Granted(needs, taken.take(), ticket, state.serial++, takenSince[i]));
        }
        latestNanos = Math.max(latestNanos, takenSince[count - 1]);
    }

    /**
     * Returns true if items came to the inbox before the sender could see that it must notify the stage. It must when
     * the line is empty: otherwise the line looks again when a buffer comes back, or an item leaves its place.
     */
    private boolean missedSome() {
        Inbox box = inbox;
        if (box == null) {
            return false;
        }
        box.bell(size() == 0);
        return size() == 0 && box.size() > 0;
    }

    /** Counts items that the run refuses, since it stops. */
    void refuse(int count) {
        stage.discard(count, false);
    }

    private void discardFailed(PriorityItems items) {
        stage.discard(items.takeFailed(), true);
    }

    @Override
    public int size() {
        return ordered == null ? eldest.size() : ordered.size();
    }

    @Override
    public void look(GrantState state, WakeList wakes) {
        do {
            collect(state);
            grantThoseInTurn(state, wakes);
        } while (missedSome());
        noteStarving();
    }

    /** Notifies the stage if items wait since the last arrival, or none does any more since the last grant. */
    private void noteStarving() {
        boolean now = size() > 0;
        if (now != starves) {
            starves = now;
            synchronized (stage) {
                stage.figures.starves(now, latestNanos);
            }
        }
    }

    private void grantThoseInTurn(GrantState state, WakeList wakes) {
        while (!state.stopped && size() > 0) {
            boolean lacks = lacking() != null;
            TicketSet blocking = lacks ? null : blocking();
            boolean ahead = blocking != null && mayGoAhead(state);
            blockedAt = TicketSet.move(this, blockedAt, ahead ? null : blocking);
            if (lacks || blockedAt != null) {
                return;
            }
            grant(ahead, state, wakes);
        }
    }

    private @Nullable Pool lacking() {
        for (BufferNeed need : needs) {
            if (!need.isMet()) {
                return need.pool();
            }
        }
        return null;
    }

    /**
     * Returns true if the first request may be granted out of turn: the smallest size that is enough must remain for
     * others. Among items of one ticket that may ask again, only one goes ahead: each of several would hold its
     * buffers, and all would need the rest at the same time.
     */
    private boolean mayGoAhead(GrantState state) {
        if (past != null && first && ticket() <= state.newest) {
            return false;
        }
        for (BufferNeed need : needs) {
            if (!need.isWithinSurplus()) {
                return false;
            }
        }
        return true;
    }

    private void grant(boolean ahead, GrantState state, WakeList wakes) {
        long eldest = ticket();
        long granted = overtaking == null ? eldest : overtaking.before(eldest, ahead);
        Granted item = granted == eldest && overtaking != null ? nextOf(eldest) : next();
        if (item == null) {
            return; // the comparator threw, and the stage has counted the item
        }
        long came = item.ticket();
        if (granted != eldest) {
            item.ticket(granted);
        }
        latestNanos = state.clock.nanoTime();
        item.grant(ahead, latestNanos);
        place.leave(came);
        if (past != null) {
            past.arrive(item.ticket());
            state.newest = Math.max(state.newest, item.ticket());
        }
        if (!stage.acceptGranted(item, wakes)) {
            item.free(true);
        }
        place.unblock(state, wakes);
    }

    /** Removes the item that gets buffers next; null if its comparator threw, which was reported to the stage. */
    private @Nullable Granted next() {
        if (ordered == null) {
            return eldest.remove();
        }
        @Nullable Object[] one = new @Nullable Object[1];
        ordered.drainTo(one, 1);
        return removed(ordered, (Granted) one[0]);
    }

    /** Removes the item among those of one ticket that gets buffers next; null as above. */
    private @Nullable Granted nextOf(long ticket) {
        PriorityItems items = Objects.requireNonNull(ordered);
        return removed(items, (Granted) items.removeOf(ticket));
    }

    private @Nullable Granted removed(PriorityItems items, @Nullable Granted item) {
        discardFailed(items);
        if (item != null) {
            tickets.leave(item.ticket());
        }
        return item;
    }

    @Override
    public void stop(GrantState state) {
        do {
            collect(state);
            eldest.clear();
            if (ordered != null) {
                ordered.clear();
            }
        } while (missedSome());
        latestNanos = state.clock.nanoTime();
        noteStarving();
    }

    /** Discards the waiting items, since the stage has ended before its input. */
    void close(GrantState state, WakeList wakes) {
        stop(state);
        if (past != null) {
            past.close();
            past.unblock(state, wakes);
        }
    }

    @Override
    public void describe(long now, List<String> lines) {
        int waiting = size() + sent(this);
        if (size() > 0) {
            lines.add("    " + waiting + (waiting == 1 ? " item of \"" : " items of \"") + place.of + "\" wait: "
                    + why());
        }
    }

    private String why() {
        Pool lacking = lacking();
        if (lacking != null) {
            return "\"" + lacking.name + "\" has " + lacking.freeText() + " free";
        }
        TicketSet blocking = blocking();
        return blocking == null
                ? "about to be granted"
                : "an elder item, which may ask first, is at \"" + blocking.of + '"';
    }

    /** Returns the eldest ticket of the waiting items. The line must not be empty. */
    private long ticket() {
        return ordered == null ? eldest.element().ticket() : tickets.least();
    }

    /**
     * Returns a place with an item that may still ask the same edges and comes before the first item of this line; null
     * if there is none.
     */
    private @Nullable TicketSet blocking() {
        long ticket = ticket();
        TicketSet known = blockedAt;
        if (known != null && isBefore(known, ticket)) {
            return known;
        }
        for (BufferNeed need : needs) {
            for (TicketSet other : need.pool().before) {
                if (isBefore(other, ticket)) {
                    return other;
                }
            }
        }
        return null;
    }

    /**
     * Returns true if an item at {@code other} comes before {@code ticket}. An item with a smaller ticket does. So does
     * an item with the same ticket that is further down, if items here hold no buffers: an item that holds some would
     * wait for an item that may wait for these buffers.
     */
    private boolean isBefore(TicketSet other, long ticket) {
        long least = other.least();
        return least < ticket || (first && least == ticket && other.depth > place.depth);
    }
}
