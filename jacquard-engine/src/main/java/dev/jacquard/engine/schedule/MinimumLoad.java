package dev.jacquard.engine.schedule;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.Set;

/**
 * A task goes to the worker, or the device, with the least expected work: by the moving averages of measured times, and
 * until there are some by the number of tasks.
 *
 * <p>Source: the expressions thesis, section 3.1.14 (load balancers).
 */
final class MinimumLoad implements Policy, Placement {
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
    public Place place(ReadyTask task, MachineState machine) {
        Place best = machine.places().getFirst();
        double least = Double.POSITIVE_INFINITY;
        for (Place place : machine.places()) {
            double load = machine.queuedNanos(place);
            if (load < least) {
                best = place;
                least = load;
            }
        }
        return best;
    }
}
