package dev.jacquard.engine.schedule;

import dev.jacquard.engine.work.ReadyTask;
import java.util.Set;

/**
 * One task at a time, on worker 0: of the ready tasks the one submitted first, as in a program without tasks. Worker 0
 * is the thread that opened the session, so nothing runs before it waits. Bodies for targets and for a separate main
 * thread run on their threads, each while no other body runs; their asynchronous operations go on concurrently.
 *
 * <p>Source: the abstract runtime system document, section II-C7 (the standard scheduler).
 */
final class Sequential implements Policy {
    @Override
    public String name() {
        return "sequential";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.EXCLUSIVE_CALLS, Need.NO_INLINE_SUCCESSORS, Need.FIXED_WORKERS, Need.ONE_AT_A_TIME);
    }

    @Override
    public ReadyOrder order() {
        return new TaskHeap() {
            @Override
            int priority(ReadyTask task) {
                return 0;
            }

            @Override
            double weight(ReadyTask task) {
                return 0;
            }
        };
    }

    @Override
    public Placement placement() {
        return (task, machine) -> machine.places().getFirst();
    }
}
