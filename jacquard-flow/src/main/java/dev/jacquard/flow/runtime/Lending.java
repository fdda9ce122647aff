package dev.jacquard.flow.runtime;

import dev.jacquard.core.graph.WaitInterruptedException;
import dev.jacquard.flow.memory.ReleaseRule;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The buffers that a run lends to code outside of the graph, and the run as its ledger sees it.
 *
 * <p>Threads: any.
 */
final class Lending implements BufferGrants.Lender {
    private static final String OUTSIDE = "code outside of the graph";

    private final Run run;
    private final Environment environment;

    Lending(Run run, Environment environment) {
        this.run = run;
        this.environment = environment;
    }

    /** See {@code FlowRun.take}. */
    Handle<Object> take(Pool pool, ReleaseRule rule) {
        WakeList wakes = new WakeList();
        try {
            run.ledger().await(new Waiter(pool, OUTSIDE, true, 0), run.workers(), wakes);
            return run.ledger().lend(pool, OUTSIDE, rule, false, wakes);
        } catch (InterruptedException e) {
            throw new WaitInterruptedException("a buffer of memory edge \"" + pool.name + '"', e);
        } finally {
            settle(wakes);
        }
    }

    /** See {@code FlowRun.release}. */
    void release(Handle<?> buffer) {
        WakeList wakes = new WakeList();
        try {
            run.ledger().release(buffer, wakes);
        } finally {
            settle(wakes);
        }
    }

    private void settle(WakeList wakes) {
        WakeList.fire(wakes.detach(), null, run.workers());
        run.life().settle();
    }

    @Override
    public Handle<Object> handle(String name, Object value, Lease of) {
        return environment.lend(name, value, of);
    }

    @Override
    public boolean mayBeInUse(Lease loan) {
        return loan.isDeclared() && !(loan.value instanceof Data); // data is recycled behind those who use it
    }

    @Override
    public void behind(Handle<?> lent, Runnable then) {
        run.submissions().behind(lent, then);
    }

    @Override
    public void returned(Lease loan, WakeList wakes, @Nullable Throwable problem) {
        if (problem != null) {
            run.life().raise(loan.pool.name, "release", loan.name(), problem);
        }
        settle(wakes);
    }
}
