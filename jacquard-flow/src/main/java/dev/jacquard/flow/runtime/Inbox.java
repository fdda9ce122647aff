package dev.jacquard.flow.runtime;

import dev.jacquard.base.clock.Clock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The items of one producer on their way into a stage. The producer is the graph's input or a copy with a thread of its
 * own. A bounded ring between the producer and the copies that take, so that neither waits for a lock of the other.
 *
 * <pre>
 *  send --offer--> slots[head .. tail) --drainTo--> the stage's queue
 *          |                                           |
 *          +-- bell set? lock the stage, wake a copy   +-- about to sleep: set the bell, look here again
 * </pre>
 *
 * <p>The inbox of a {@link Line} has the ledger in place of the stage: items go to the line, which sets the bell when
 * it is empty, since a line that waits for a buffer or a place looks again by itself.
 *
 * <p>No item waits while a copy sleeps: the sender publishes its item, then reads the bell; the copy sets the bell,
 * then looks for items. With a full fence between the two steps on both sides, one side sees the other.
 *
 * <p>Threads: {@link #offer} is called under the lock of the {@link Input}, or by the thread of the producing copy;
 * {@link #drainTo}, {@link #free} and {@link #bell} are called under the lock of the stage, or under that of the ledger
 * if the inbox is a line's, {@link #size} by any thread.
 */
final class Inbox {
    static final int CAPACITY = 256;
    private static final int MASK = CAPACITY - 1;

    /**
     * The cell with the next slot to be taken. Written with a release by {@link #free}, after the slots are cleared and
     * the stage has counted the items: pairs with the acquires in offer() and size().
     */
    private static final int HEAD = 32;
    /** The cell with the value of {@link #HEAD} after the items that were taken. Guarded like {@link #drainTo}. */
    private static final int TAKEN = 33;
    /**
     * The cell with the next slot to be filled. Volatile write by {@link #offer}: pairs with the acquire in drainTo(),
     * and is the fence of offer().
     */
    private static final int TAIL = 64;
    /** The cell with the sender's copy of {@link #TAIL}. */
    private static final int FILLED = 65;
    /** The cell with the value of {@link #HEAD} that the sender last read. */
    private static final int KNOWN_HEAD = 66;
    /**
     * The cell that is 1 while the stage must be notified of each item. Volatile write under the taker's lock: the
     * fence of that side.
     */
    private static final int BELL = 96;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final @Nullable Object[] slots = new @Nullable Object[CAPACITY];
    /** The times at which the items in the slots were sent; null if they are not asked for. */
    private final long @Nullable [] times;

    private final @Nullable Clock clock;
    /** The numbers of the sender, of the taker, and the bell, each in cache lines of its own. */
    private final long[] cells = new long[128];

    /** An inbox of a stage. */
    Inbox() {
        this(null);
    }

    /** An inbox that keeps the times at which items are sent, if there is a clock. */
    Inbox(@Nullable Clock clock) {
        this.clock = clock;
        this.times = clock == null ? null : new long[CAPACITY];
    }

    /** Adds up to {@code count} items from {@code from} on, as many as there is room for; returns their number. */
    int offer(@Nullable Object[] items, int from, int count) {
        long filled = cells[FILLED];
        if (filled + count - cells[KNOWN_HEAD] > CAPACITY) {
            cells[KNOWN_HEAD] = (long) CELL.getAcquire(cells, HEAD);
        }
        int fits = (int) Math.min(count, CAPACITY - (filled - cells[KNOWN_HEAD]));
        for (int i = 0; i < fits; i++) {
            slots[(int) (filled + i) & MASK] = items[from + i];
        }
        if (clock != null && times != null) {
            long now = clock.nanoTime();
            for (int i = 0; i < fits; i++) {
                times[(int) (filled + i) & MASK] = now;
            }
        }
        cells[FILLED] = filled + fits;
        CELL.setVolatile(cells, TAIL, filled + fits); // includes the fence between the item and the read of the bell
        return fits;
    }

    /** Returns true if the stage must be notified of the items that were offered. */
    boolean rings() {
        return (long) CELL.getVolatile(cells, BELL) != 0;
    }

    /**
     * Sets whether the stage must be notified. After this turns true, with a full fence, the stage reads {@link #size}
     * again.
     */
    void bell(boolean on) {
        if (on != ((long) CELL.getOpaque(cells, BELL) != 0)) { // written under the lock only
            CELL.setVolatile(cells, BELL, on ? 1L : 0L);
        }
    }

    /**
     * Copies the times at which the items that {@link #move} is about to move were sent. More may come concurrently:
     * these are not moved.
     *
     * @return the number of items to move
     */
    int timesTo(long[] into) {
        int count = (int) ((long) CELL.getAcquire(cells, TAIL) - cells[TAKEN]);
        for (int i = 0; i < count && times != null; i++) {
            into[i] = times[(int) (cells[TAKEN] + i) & MASK];
        }
        return count;
    }

    /** Moves all items to {@code queue}; they count here, too, until {@link #free}. */
    void drainTo(ItemQueue queue) {
        move((int) ((long) CELL.getAcquire(cells, TAIL) - cells[TAKEN]), queue);
    }

    /** Moves the first {@code count} items, which are there, like {@link #drainTo}. */
    void move(int count, ItemQueue queue) {
        if (count == 0) {
            return;
        }
        long from = cells[TAKEN];
        int start = (int) from & MASK;
        int first = Math.min(count, CAPACITY - start);
        queue.add(slots, start, first);
        queue.add(slots, 0, count - first);
        Arrays.fill(slots, start, start + first, null);
        Arrays.fill(slots, 0, count - first, null);
        cells[TAKEN] = from + count;
    }

    /**
     * Gives back the places of the items that were moved: a thread that sees that also sees earlier writes of the
     * caller.
     */
    void free() {
        if (cells[TAKEN] != (long) CELL.getOpaque(cells, HEAD)) { // written under the lock only
            CELL.setRelease(cells, HEAD, cells[TAKEN]);
        }
    }

    /**
     * Returns the number of items, never less than there are: head is read first, so that items taken concurrently
     * count.
     */
    int size() {
        long from = (long) CELL.getAcquire(cells, HEAD);
        return (int) ((long) CELL.getVolatile(cells, TAIL) - from);
    }
}
