package dev.jacquard.flow.runtime;

import dev.jacquard.base.failure.Suppressed;
import dev.jacquard.flow.task.ErrorHandler;
import dev.jacquard.memory.data.Handle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The effects of one item in a task that drops items that fail: an item that fails leaves none.
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
    private final ErrorHandler<Object, Object> handler;
    /** The pools into which the task, or tasks that its items lead to, release. */
    private final Set<Pool> releasing;

    private Effects effects = new Effects();
    /** True while the body, or the handler, works on an item. */
    private boolean open;

    /** The effects of one item so far. */
    static final class Effects {
        private final List<Held> emitted = new ArrayList<>();
        private final List<Handle<?>> taken = new ArrayList<>();
        private final Set<Handle<?>> released = Collections.newSetFromMap(new IdentityHashMap<>());

        private void clear() {
            emitted.clear();
            taken.clear();
            released.clear();
        }
    }

    /** An item that is held back, and the outlet that it goes through. */
    private record Held(Outlet outlet, Object item) {}

    ItemScope(EmittingCopy copy, ErrorHandler<Object, Object> handler, Set<Pool> releasing) {
        this.copy = copy;
        this.handler = handler;
        this.releasing = releasing;
    }

    void begin() {
        open = true;
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

    /** Holds back an emitted item until the item that led to it is done. Returns false if the copy works on none. */
    boolean holds(Outlet outlet, Object item) {
        if (open) {
            effects.emitted.add(new Held(outlet, item));
        }
        return open;
    }

    void took(Handle<?> buffer) {
        if (open) {
            effects.taken.add(buffer);
        }
    }

    void released(Handle<?> buffer) {
        if (open) {
            effects.released.add(buffer);
        }
    }

    /** Passes on the emitted items, since the item is done. */
    void commit() {
        open = false;
        effects.emitted.forEach(held -> held.outlet().emit(held.item()));
    }

    /**
     * Drops an item: calls the handler, and gives back the buffers.
     *
     * @throws Exception the {@code failure}, with the exception of the handler, of a release rule or of an allocator as
     *     a suppressed one
     */
    void drop(Object item, Exception failure, Outlet outlet) throws Exception {
        effects.emitted.clear();
        try {
            handler.dropped(item, failure, outlet);
            giveBack(item);
        } catch (Throwable t) {
            Suppressed.add(failure, t);
            throw failure;
        }
        commit();
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
