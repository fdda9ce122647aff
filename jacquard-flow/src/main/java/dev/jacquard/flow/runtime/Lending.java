package dev.jacquard.flow.runtime;

import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.data.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A run as its loans see it: the handles of its environment, and the tasks that may still use a buffer.
 *
 * <p>Threads: any.
 */
record Lending(Environment environment, Submissions submissions, RunLife life) implements Loans.Lender {
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
        submissions.behind(lent, then);
    }

    @Override
    public void returned(Lease loan, WakeList wakes, @Nullable Throwable problem) {
        if (problem != null) {
            life.raise(loan.pool.name, "release", loan.name(), problem);
        }
        life.settle(wakes);
    }
}
