package dev.jacquard.base.concurrent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A work-stealing deque: its owner pushes and pops at the bottom, thieves take from the top.
 *
 * <p>Source: Chase and Lev, "Dynamic circular work-stealing deque" (SPAA 2005), with the memory orders of Lê, Pop,
 * Cohen and Zappa Nardelli, "Correct and efficient work-stealing for weak memory models" (PPoPP 2013). Indices only
 * grow and are 64 bits wide, so an element may be pushed again while a slow thief still looks at its old place.
 *
 * <pre>
 *   top ->  [ oldest ... newest ]  &lt;- bottom
 *   steal:  CAS top                   push, pop: owner only; the last element is fought for by CAS on top
 * </pre>
 *
 * <p>Writers: {@code bottom}, {@code ring} and the ring's slots are written by the owner alone; {@code top} by the
 * thread that wins the CAS, and without one by the owner where there are no thieves. Each access below names the access
 * that it pairs with.
 *
 * @param <T> the type of the queued elements
 */
public final class WorkDeque<T> extends WorkDequePad {
    private static final VarHandle TOP = Fields.handle(MethodHandles.lookup(), "top", long.class);
    private static final VarHandle BOTTOM = Fields.handle(MethodHandles.lookup(), "bottom", long.class);
    private static final VarHandle RING = Fields.handle(MethodHandles.lookup(), "ring", Object[].class);

    private final boolean shared;

    /**
     * An empty deque.
     *
     * @param capacity slots at first, a power of two; it grows
     * @param shared whether thieves exist; without them {@link #pop} needs no fence
     */
    public WorkDeque(int capacity, boolean shared) {
        if (capacity < 1 || Integer.bitCount(capacity) != 1) {
            throw new IllegalArgumentException("the capacity of a deque must be a power of two, not " + capacity);
        }
        this.ring = new @Nullable Object[capacity];
        this.shared = shared;
    }

    /** Adds {@code element} as the newest. Owner only. */
    public void push(T element) {
        long b = bottom;
        @Nullable Object[] slots = ring;
        if (b - knownTop >= slots.length) {
            // Acquire: pairs with the CAS in steal(). A slot that a thief is done with may be written again.
            knownTop = (long) TOP.getAcquire(this);
            if (b - knownTop >= slots.length) {
                slots = grow(slots, b);
            }
        }
        slots[(int) b & (slots.length - 1)] = element;
        BOTTOM.setRelease(this, b + 1); // pairs with the acquire in steal(): the thief sees the slot and the element
    }

    /** Takes the newest element, or null when there is none. Owner only. */
    @SuppressWarnings("unchecked")
    public @Nullable T pop() {
        long b = bottom - 1;
        long t = (long) TOP.getAcquire(this);
        // Thieves only ever take: a deque that looks empty is empty, and needs no fence.
        if (b < t) {
            forgetStolen(b + 1);
            return null;
        }
        @Nullable Object[] slots = ring;
        int slot = (int) b & (slots.length - 1);
        if (!shared) {
            if (t == b) { // the last element: taken as the oldest, so that this changes
                TOP.setOpaque(this, t + 1);
            } else {
                bottom = b;
            }
            return (T) take(slots, slot);
        }
        if (t == b) { // the last element: the owner takes it as a thief does, by the CAS alone
            return TOP.compareAndSet(this, t, t + 1) ? (T) take(slots, slot) : null;
        }
        BOTTOM.setOpaque(this, b);
        // Either a thief sees the lower bottom, or this sees the thief's higher top: pairs with the fence in steal().
        VarHandle.fullFence();
        t = (long) TOP.getOpaque(this);
        if (t < b) {
            return (T) take(slots, slot);
        }
        // At most one element is left, and a thief may be after it: the CAS decides, against the one in steal().
        boolean won = t == b && TOP.compareAndSet(this, t, t + 1);
        BOTTOM.setOpaque(this, b + 1);
        return won ? (T) take(slots, slot) : null;
    }

    /** Takes the oldest element; null when there is none, or when another thread was faster. Any thread. */
    @SuppressWarnings("unchecked")
    public @Nullable T steal() {
        long t = (long) TOP.getAcquire(this); // pairs with the CAS of another thief or of pop()
        VarHandle.fullFence(); // pairs with the fence in pop()
        long b = (long) BOTTOM.getAcquire(this); // pairs with the release in push()
        if (t >= b) {
            return null;
        }
        @Nullable Object[] slots = (@Nullable Object[]) RING.getAcquire(this); // pairs with the release in grow()
        Object element = slots[(int) t & (slots.length - 1)];
        return TOP.compareAndSet(this, t, t + 1) ? (T) element : null;
    }

    /** The oldest element, which may be gone by now; null when there is none. Any thread. */
    @SuppressWarnings("unchecked")
    public @Nullable T oldestElement() {
        long t = (long) TOP.getAcquire(this); // pairs with the CAS of a thief
        long b = (long) BOTTOM.getAcquire(this); // pairs with the release in push(): the element is seen whole
        @Nullable Object[] slots = (@Nullable Object[]) RING.getAcquire(this);
        return t >= b ? null : (T) slots[(int) t & (slots.length - 1)];
    }

    /** Releases the elements that thieves have taken, which it else does when it is found empty. Owner only. */
    public void forgetStolen() {
        @Nullable Object[] slots = ring;
        long t = (long) TOP.getAcquire(this); // elements below were read by their takers, before the CAS
        for (long i = Math.max(forgotten, bottom - slots.length); i < t; i++) {
            slots[(int) i & (slots.length - 1)] = null;
        }
        forgotten = Math.max(forgotten, t);
    }

    /**
     * Returns true if the deque has at least {@code enough} elements. Owner only: looks at the thieves' line only where
     * the answer may be true.
     */
    public boolean holds(int enough) {
        if (enough == 0) {
            return true;
        }
        if (bottom - knownTop < enough) {
            return false;
        }
        knownTop = (long) TOP.getAcquire(this); // never above the real one, as push() needs it
        return bottom - knownTop >= enough;
    }

    /** Returns true if the deque looks empty right now. Any thread. */
    public boolean isEmpty() {
        // Volatile: a worker that has announced that it sleeps looks here, and the announcement
        // must stand before the look.
        return (long) BOTTOM.getVolatile(this) <= (long) TOP.getVolatile(this);
    }

    /** Returns the number of elements right now. Any thread; a hint, so opaque. */
    public long size() {
        return Math.max(0, position() - oldest());
    }

    /** Changes whenever the owner pushes or pops. Any thread; a hint, so opaque. */
    public long position() {
        return (long) BOTTOM.getOpaque(this);
    }

    /** Changes whenever the oldest element is taken. Any thread; a hint, so opaque. */
    public long oldest() {
        return (long) TOP.getOpaque(this);
    }

    /**
     * Hands {@code sink} its elements, oldest first. Any thread, for diagnosis: while others push and take, something
     * that was taken may be seen and something new may be missed.
     */
    @SuppressWarnings("unchecked")
    public void each(Consumer<? super T> sink) {
        long t = (long) TOP.getAcquire(this);
        long b = (long) BOTTOM.getAcquire(this); // pairs with the release in push(): the elements are seen whole
        @Nullable Object[] slots = (@Nullable Object[]) RING.getAcquire(this);
        for (long i = Math.max(t, b - slots.length); i < b; i++) {
            Object element = slots[(int) i & (slots.length - 1)];
            if (element != null) {
                sink.accept((T) element);
            }
        }
    }

    private static @Nullable Object take(@Nullable Object[] slots, int slot) {
        Object element = slots[slot];
        slots[slot] = null;
        return element;
    }

    /** Clears the slots that thieves have emptied, so that the ring keeps no finished work alive. */
    private void forgetStolen(long end) {
        @Nullable Object[] slots = ring;
        for (long i = Math.max(forgotten, end - slots.length); i < end; i++) {
            slots[(int) i & (slots.length - 1)] = null;
        }
        forgotten = end;
    }

    private @Nullable Object[] grow(@Nullable Object[] slots, long b) {
        @Nullable Object[] larger = new @Nullable Object[2 * slots.length];
        for (long i = b - slots.length; i < b; i++) {
            larger[(int) i & (larger.length - 1)] = slots[(int) i & (slots.length - 1)];
        }
        RING.setRelease(this, larger); // pairs with the acquire in steal(): the thief sees the copied slots
        return larger;
    }
}

/** The fields that thieves write, on a cache line of their own. */
@SuppressWarnings("unused")
abstract class WorkDequeTop {
    /** Index of the oldest element. Written by CAS, and plainly by the owner of a deque without thieves. */
    long top;

    private long p1;
    private long p2;
    private long p3;
    private long p4;
    private long p5;
    private long p6;
    private long p7;
}

/** The fields that the owner writes. */
@SuppressWarnings("unused")
abstract class WorkDequeBottom extends WorkDequeTop {
    private long q1;
    private long q2;
    private long q3;
    private long q4;
    private long q5;
    private long q6;
    private long q7;

    /** Index after the newest element. Owner only. */
    long bottom;

    /**
     * The top when the owner last needed it: not above the real one. Owner only, so that a push touches no thief's
     * line.
     */
    long knownTop;

    /** Stolen slots below this index are cleared. Owner only; no other thread sees it. */
    long forgotten;

    /** The slots; length is a power of two. Owner only. */
    @Nullable
    Object[] ring = new @Nullable Object[1];
}

/** Keeps the next object off the owner's line. */
@SuppressWarnings("unused")
abstract class WorkDequePad extends WorkDequeBottom {
    private long r1;
    private long r2;
    private long r3;
    private long r4;
    private long r5;
    private long r6;
    private long r7;
}
