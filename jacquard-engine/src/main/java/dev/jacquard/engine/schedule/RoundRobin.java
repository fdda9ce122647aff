package dev.jacquard.engine.schedule;

import dev.jacquard.base.machine.Place;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ready tasks go to the workers in turn, kernels to the devices, whatever these have to do.
 *
 * <p>Source: the expressions thesis, section 3.1.14 (load balancers).
 */
final class RoundRobin implements Policy {
    @Override
    public String name() {
        return "round-robin";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.EXCLUSIVE_CALLS, Need.NO_INLINE_SUCCESSORS);
    }

    @Override
    public ReadyOrder order() {
        return new TaskRing();
    }

    @Override
    public Placement placement() {
        AtomicInteger turn = new AtomicInteger();
        return (task, machine) -> {
            List<Place> places = machine.places();
            return places.get(Integer.remainderUnsigned(turn.getAndIncrement(), places.size()));
        };
    }
}
