package dev.jacquard.flow.runtime;

import dev.jacquard.flow.memory.ItemResources;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import dev.jacquard.flow.task.Body.CopyInfo;
import dev.jacquard.memory.data.Handle;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Takes buffers from memory edges for one copy: the buffers that were granted for its item; for further ones, a
 * dedicated copy waits in line.
 *
 * <p>Threads: confined to the copy's activation.
 */
final class Borrower {
    private final RunContext run;
    private final StagePlan plan;
    private final String taker;
    /** Called before the copy's thread waits for a buffer. */
    private final Runnable beforeWaiting;
    /** Called after that. */
    private final Runnable afterWaiting;

    private @Nullable Granted granted;
    /** The item with the slots for items that are emitted now: also of one that has waited for engine tasks. */
    private @Nullable Granted slots;
    /** The pool whose loader the body runs; null if it runs none. */
    private @Nullable Pool loading;
    /** True while the copy's thread waits for a buffer. Written by that thread, read by any thread. */
    private volatile boolean waiting;

    Borrower(RunContext run, StagePlan plan, CopyInfo info, Runnable beforeWaiting, Runnable afterWaiting) {
        this.run = run;
        this.plan = plan;
        this.beforeWaiting = beforeWaiting;
        this.afterWaiting = afterWaiting;
        this.taker = info.task() + " copy " + info.index();
    }

    boolean isWaiting() {
        return waiting;
    }

    /** Records that the copy begins with {@code item}. */
    void begin(Granted item) {
        granted = item;
        slots = item;
    }

    /** Records that the copy goes on with an item that has waited for engine tasks, with its slots. */
    void resume(@Nullable Granted item) {
        slots = item;
    }

    /** Returns the item with its slots, if any, which the item keeps while it waits for engine tasks. */
    @Nullable
    Granted suspend() {
        Granted item = slots;
        slots = null;
        return item != null && item.hasSlots() ? item : null;
    }

    /** Records that the copy is done with the item for now, and frees the buffers and slots that it did not use. */
    void end(WakeList wakes) {
        Granted item = granted == null ? slots : granted;
        boolean withSlots = slots != null;
        granted = null;
        slots = null;
        if (item != null) {
            run.ledger().giveBack(item, withSlots, wakes);
        }
    }

    /**
     * Uses a slot of each bounded edge for an item that is emitted.
     *
     * @throws IllegalStateException if there is none left: the item leads to more items than its task declares
     */
    void useSlots(Pool[] pools, String emitter) {
        Granted item = slots;
        for (Pool pool : pools) {
            if (item == null) {
                throw new IllegalStateException(
                        emitter + " emitted an item outside of execute, where it has no slots of " + pool.named()
                                + ": emit it there, or leave out the bound of the edge");
            }
            if (!uses(item, pool, 0)) {
                throw new IllegalStateException(emitter + " emitted more items per item than it declares, and "
                        + pool.named() + " has a bound: declare the most with emits(least, most)");
            }
        }
    }

    private String refusal(MemoryEdge<?> edge, @Nullable Granted item, Pool pool, long bytes) {
        String what = "memory edge \"" + edge.name() + '"';
        if (plan.bookkeeper()) {
            return "bookkeeper \"" + plan.name() + "\" took from " + what
                    + ", which rules cannot: let a task take the buffer and send it";
        }
        String task = "task \"" + plan.name() + "\" took ";
        if (item != null && item.left(pool) < bytes) {
            return task + bytes + " bytes of " + what + ", and has " + item.left(pool) + " left of those it declared: "
                    + "declare the most per item with takes(edge, count, bytes)";
        }
        boolean isDeclared = plan.memory().needs().containsKey(pool.number);
        return task
                + (item == null && isDeclared
                        ? "from " + what + " outside of execute, where it has no buffers: take them there"
                        : "more of " + what + " than it declared: declare it with takes(edge, count)")
                + (loading == null ? ", or make the task dedicated" : ", since a loader cannot wait");
    }

    /** Returns true if {@code item} has a buffer of {@code pool} left, which is to be lent then. */
    private boolean uses(Granted item, Pool pool, long bytes) {
        try {
            return item.use(pool, bytes);
        } catch (Error e) { // a full stack: the buffer may be lost
            run.ledger().broken.by = e;
            throw e;
        }
    }

    /**
     * Takes a buffer of {@code edge}.
     *
     * @param bytes the size; 0 of an edge that does not count bytes
     * @param by the key or the layout; null if the take states none
     * @param resources the outlet of the body, for a loader
     * @param ticket the ticket of the item that the copy works on; 0 if it is not known
     */
    Handle<Object> take(
            MemoryEdge<?> edge,
            ReleaseRule rule,
            long bytes,
            @Nullable Object by,
            ItemResources resources,
            long ticket,
            WakeList wakes) {
        Pool pool = run.pool(plan.memory().pools().get(edge), edge);
        pool.requireFitting(bytes, taker);
        requireBefore(pool);
        Granted item = granted;
        try {
            boolean ahead = item != null && item.ahead;
            long since;
            if (item == null || !uses(item, pool, bytes)) {
                if (!plan.options().is(StagePlan.Trait.DEDICATED) || loading != null) {
                    throw new IllegalStateException(refusal(edge, item, pool, bytes));
                }
                beforeWaiting.run();
                waiting = true;
                try {
                    run.ledger().await(new Waiter(pool, bytes, taker, false, ticket), run.workers(), wakes);
                } finally {
                    waiting = false;
                    afterWaiting.run();
                }
                ahead = false;
                since = run.loans().now();
            } else {
                since = item.grantedNanos;
            }
            Lease lease = new Lease(run.loans(), pool, taker, rule, ticket, ahead);
            return lend(lease.of(bytes, by, since), resources, wakes);
        } catch (InterruptedException e) {
            CancellationException cancelled =
                    new CancellationException(taker + " was interrupted while it waited for a buffer");
            cancelled.initCause(e);
            throw cancelled;
        }
    }

    private Handle<Object> lend(Lease lease, ItemResources resources, WakeList wakes) {
        Pool outer = loading;
        loading = lease.pool.keyed == null ? outer : lease.pool;
        try {
            return run.loans().lend(lease, resources, wakes);
        } finally {
            loading = outer;
        }
    }

    /**
     * Throws if a loader takes from an edge that was not made before the loader's. Otherwise two loaders could wait for
     * each other's keys.
     */
    private void requireBefore(Pool pool) {
        Pool outer = loading;
        if (outer != null && pool.number >= outer.number) {
            throw new IllegalStateException("the loader of memory edge \"" + outer.name + "\" took from memory edge \""
                    + pool.name + "\", which was not made before it: make that edge first");
        }
    }
}
