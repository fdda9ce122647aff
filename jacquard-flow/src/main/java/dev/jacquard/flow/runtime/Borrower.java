package dev.jacquard.flow.runtime;

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
    }

    /** Records that the copy is done with the item, and frees the buffers that it did not take. */
    void end(WakeList wakes) {
        Granted item = granted;
        granted = null;
        if (item != null) {
            run.ledger().giveBack(item, wakes);
        }
    }

    private String refusal(MemoryEdge<?> edge, boolean hasNone) {
        String what = "memory edge \"" + edge.name() + '"';
        if (plan.bookkeeper()) {
            return "bookkeeper \"" + plan.name() + "\" took from " + what
                    + ", which rules cannot: let a task take the buffer and send it";
        }
        boolean isDeclared =
                plan.memory().needs().containsKey(plan.memory().pools().get(edge));
        return "task \"" + plan.name() + "\" took "
                + (hasNone && isDeclared
                        ? "from " + what + " outside of execute, where it has no buffers: take them there"
                        : "more of " + what + " than it declared: declare it with takes(edge, count)")
                + ", or make the task dedicated";
    }

    /** Returns true if {@code item} has a buffer of {@code pool} left, which is to be lent then. */
    private boolean uses(Granted item, Pool pool) {
        try {
            return item.use(pool);
        } catch (Error e) { // a full stack: the buffer may be lost
            run.ledger().broken.by = e;
            throw e;
        }
    }

    /**
     * Takes a buffer of {@code edge}.
     *
     * @param ticket the ticket of the item that the copy works on; 0 if it is not known
     */
    Handle<Object> take(MemoryEdge<?> edge, ReleaseRule rule, long ticket, WakeList wakes) {
        Pool pool = run.pool(plan.memory().pools().get(edge), edge);
        Granted item = granted;
        try {
            boolean ahead = item != null && item.ahead;
            if (item == null || !uses(item, pool)) {
                if (!plan.options().is(StagePlan.Trait.DEDICATED)) {
                    throw new IllegalStateException(refusal(edge, item == null));
                }
                beforeWaiting.run();
                waiting = true;
                try {
                    run.ledger().await(new Waiter(pool, taker, false, ticket), run.workers(), wakes);
                } finally {
                    waiting = false;
                    afterWaiting.run();
                }
                ahead = false;
            }
            return run.loans().lend(pool, taker, ticket, rule, ahead, wakes);
        } catch (InterruptedException e) {
            CancellationException cancelled =
                    new CancellationException(taker + " was interrupted while it waited for a buffer");
            cancelled.initCause(e);
            throw cancelled;
        }
    }
}
