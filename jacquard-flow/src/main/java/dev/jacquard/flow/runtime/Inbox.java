package dev.jacquard.flow.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Items of one producer on their way into a stage, from outside or of a copy with a thread of its own: a bounded ring
 * between the producer and the copies that take, so that the two never wait for each other's lock.
 *
 * <pre>
 *  send --offer--> slots[head .. tail) --drainTo--> the stage's queue
 *          |                                           |
 *          +-- bell set? lock the stage, wake a copy   +-- a copy that goes to sleep sets the bell, then looks here again
 * </pre>
 *
 * <p>No item waits beside a sleeper: the sender publishes its item, then reads the bell; the copy sets the bell, then
 * looks for items. With a full fence between the two steps on both sides, one of them sees the other.
 *
 * <p>Threads: {@link #offer} under the lock of the {@link Input}, or by the thread of the producing copy,
 * {@link #drainTo} and {@link #bell} under that of the stage, {@link #size} by any thread.
 */
final class Inbox {
    private static final int CAPACITY = 256;
    private static final int MASK = CAPACITY - 1;

    private static final VarHandle HEAD;
    private static final VarHandle TAIL;
    private static final VarHandle BELL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(Inbox.class, "head", long.class);
            TAIL = lookup.findVarHandle(Inbox.class, "tail", long.class);
            BELL = lookup.findVarHandle(Inbox.class, "bell", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final @Nullable Object[] slots = new @Nullable Object[CAPACITY];
    /**
     * The next to be taken. Release by {@link #drainTo}, whose slots are clear by then: pairs with the acquire in
     * offer().
     */
    @SuppressWarnings("UnusedVariable") // through HEAD
    private long head;
    /**
     * The next to be filled. Volatile write by {@link #offer}: pairs with the acquire in drainTo(), and is its fence.
     */
    @SuppressWarnings("UnusedVariable") // through TAIL
    private long tail;
    /** Whether the stage wants to hear of each item. */
    @SuppressWarnings("UnusedVariable") // through BELL
    private boolean bell;

    /** The sender's copy of tail, and what it last knew of head. */
    private long filled;

    private long knownHead;

    /** Adds up to {@code count} items from {@code from} on, as many as there is room for; answers how many. */
    int offer(@Nullable Object[] items, int from, int count) {
        if (filled + count - knownHead > CAPACITY) {
            knownHead = (long) HEAD.getAcquire(this);
        }
        int fits = (int) Math.min(count, CAPACITY - (filled - knownHead));
        for (int i = 0; i < fits; i++) {
            slots[(int) (filled + i) & MASK] = items[from + i];
        }
        filled += fits;
        TAIL.setVolatile(this, filled); // with the fence between the item and the look at the bell
        return fits;
    }

    /** Whether the stage must be told of what was offered. */
    boolean rings() {
        return (boolean) BELL.getVolatile(this);
    }

    /** Sets whether the stage must be told. When that turns true, with a fence, it looks at {@link #size} once more. */
    void bell(boolean on) {
        if (on != (boolean) BELL.getOpaque(this)) { // written under this lock only
            BELL.setVolatile(this, on);
        }
    }

    /** Moves all items to {@code queue}. */
    void drainTo(ItemQueue queue) {
        long from = (long) HEAD.getOpaque(this); // written under this lock only
        int count = (int) ((long) TAIL.getAcquire(this) - from);
        if (count == 0) {
            return;
        }
        int start = (int) from & MASK;
        int first = Math.min(count, CAPACITY - start);
        queue.add(slots, start, first);
        queue.add(slots, 0, count - first);
        Arrays.fill(slots, start, start + first, null);
        Arrays.fill(slots, 0, count - first, null);
        HEAD.setRelease(this, from + count);
    }

    /** Never less than what is there: head first, so that what is taken meanwhile still counts. */
    int size() {
        long from = (long) HEAD.getAcquire(this);
        return (int) ((long) TAIL.getVolatile(this) - from);
    }
}
