package dev.jacquard.flow.runtime;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.flow.task.ErrorHandler;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The effects of one item in a task that drops items that fail, so that an item that fails leaves none, or that passes
 * on results in the order of the items.
 *
 * <pre>
 *  begin --emit, take, release--> the item is done --commit--> emitted items are passed on
 *                      |
 *                      +--body, continuation or engine task fails--drop--> handler, then the buffers are given back
 * </pre>
 *
 * <p>A buffer that was taken for the item has no other owner, so its loan ends. A buffer that the item brought is
 * released once, as the body would have done, if the task, or one that its results lead to, declares to release it.
 *
 * <p>Threads: confined to the copy's activation.
 */
final class ItemScope {
    private final EmittingCopy copy;
    /** Notified of items that fail; null if these fail the run. */
    private final @Nullable ErrorHandler<Object, Object> handler;
    /** The pools into which the task, or tasks that its items lead to, release. */
    private final Set<Pool> releasing;

    private Effects effects = new Effects();
    /** True while the body, or the handler, works on an item. */
    private boolean open;

    /** The effects of one item so far. */
    static final class Effects {
        private List<Held> emitted = new ArrayList<>();
        /** The place of the item in the order of the task. */
        private long place;

        private final List<Handle<?>> taken = new ArrayList<>();
        private final Set<Handle<?>> released = Collections.newSetFromMap(new IdentityHashMap<>());

        private void clear() {
            emitted.clear();
            taken.clear();
            released.clear();
        }
    }

    /** An item that is held back, and the outlet that it goes through. */
    record Held(Outlet outlet, Object item) {}

    ItemScope(EmittingCopy copy, @Nullable ErrorHandler<Object, Object> handler, Set<Pool> releasing) {
        this.copy = copy;
        this.handler = handler;
        this.releasing = releasing;
    }

    void begin() {
        open = true;
        effects.place = copy.order == null ? 0 : copy.order.place;
    }

    /** Returns true if the task drops items that fail. */
    boolean drops() {
        return handler != null;
    }

    /** Goes on with an item that waited for engine tasks. */
    void resume(Effects earlier) {
        effects = earlier;
        open = true;
    }

    /** Returns the effects of the item, which waits for engine tasks. */
    Effects suspend() {
        Effects its = effects;
        effects = new Effects();
        return its;
    }

    /** Ends the work on an item for now, whatever has happened. */
    void end() {
        open = false;
        effects.clear();
    }

    /**
     * Holds back an emitted item until the item that led to it is done. Returns false if the copy works on none, or on
     * one that cannot be dropped and is the oldest of its task.
     */
    boolean holds(Outlet outlet, Object item) {
        if (!open) {
            return false;
        }
        if (handler == null && copy.order != null && copy.order.isTurn(effects.place)) {
            open = false;
            effects.emitted.forEach(held -> held.outlet().collect(held.item()));
            effects.emitted.clear();
            open = true;
            return false;
        }
        effects.emitted.add(new Held(outlet, item));
        return true;
    }

    void took(Handle<?> buffer) {
        if (open && drops()) {
            effects.taken.add(buffer);
        }
    }

    void released(Handle<?> buffer) {
        if (open && drops()) {
            effects.released.add(buffer);
        }
    }

    /** Passes on the emitted items, since the item is done. Returns false if they wait for those of older items. */
    boolean commit() {
        open = false;
        if (copy.order != null) {
            List<Held> results = effects.emitted;
            effects.emitted = new ArrayList<>();
            return copy.order.pass(effects.place, results);
        }
        effects.emitted.forEach(held -> held.outlet().collect(held.item()));
        return true;
    }

    /**
     * Drops an item: calls the handler, and gives back the buffers. Returns as {@link #commit}.
     *
     * @throws Exception the {@code failure}, with the exception of the handler, of a release rule or of an allocator as
     *     a suppressed one
     */
    boolean drop(Object item, Exception failure, Outlet outlet) throws Exception {
        effects.emitted.clear();
        try {
            Objects.requireNonNull(handler).dropped(item, failure, outlet);
            giveBack(item);
        } catch (Throwable t) {
            Suppressed.add(failure, t);
            throw failure;
        }
        return commit();
    }

    private void giveBack(Object item) throws ReflectiveOperationException {
        Loans loans = copy.run.loans();
        for (Handle<?> buffer : ItemBuffers.of(item)) {
            boolean itsTurn = !effects.released.contains(buffer) && !effects.taken.contains(buffer);
            if (itsTurn && buffer.loan() instanceof Lease lease && releasing.contains(lease.pool)) {
                loans.releaseOnce(buffer, lease, copy.wakes);
            }
        }
        for (Handle<?> buffer : effects.taken) {
            if (buffer.loan() instanceof Lease lease) {
                loans.giveUp(buffer, lease, copy.wakes);
            }
        }
        copy.wakeEagerly();
    }
}
