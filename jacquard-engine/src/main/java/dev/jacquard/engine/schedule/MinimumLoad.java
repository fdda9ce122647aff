package dev.jacquard.engine.schedule;

import dev.jacquard.engine.work.ReadyTask;
import java.util.Set;

/**
 * A ready task goes to the worker with the least expected work: by the moving averages of measured times, and until
 * there are some by the number of tasks.
 *
 * <p>Source: the expressions thesis, section 3.1.14 (load balancers).
 */
public final class MinimumLoad implements Policy, Placement {
    /** The policy, which has no choices. */
    public MinimumLoad() {}

    @Override
    public String name() {
        return "minimum-load";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.TIMES, Need.EXCLUSIVE_CALLS);
    }

    @Override
    public ReadyOrder order() {
        return new TaskRing();
    }

    @Override
    public Placement placement() {
        return this;
    }

    @Override
    public int place(ReadyTask task, MachineState machine) {
        int best = 0;
        long least = Long.MAX_VALUE;
        for (int worker = 0; worker < machine.workers(); worker++) {
            long load = machine.expectedNanos(worker);
            if (load < least) {
                best = worker;
                least = load;
            }
        }
        return best;
    }
}
