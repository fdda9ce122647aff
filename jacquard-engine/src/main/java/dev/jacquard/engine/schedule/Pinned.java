package dev.jacquard.engine.schedule;

import dev.jacquard.engine.work.ReadyTask;
import java.util.Set;

/**
 * Each task on a fixed worker, from which no other steals: the one that the user gave it, or one for its data (see
 * {@link ReadyTask#locality}). Tasks placed on worker 0 run while the thread that opened the session waits. Each
 * worker's thread is bound to its own processor where a {@link dev.jacquard.base.machine.ThreadBinding} can do that;
 * that of worker 0 while it waits.
 *
 * <p>Source: the abstract runtime system document, section II-C7 (the pool of threads with affinity).
 */
final class Pinned implements Policy {
    private static final int GOLDEN = 0x9E3779B9;

    @Override
    public String name() {
        return "pinned";
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.EXCLUSIVE_CALLS, Need.NO_INLINE_SUCCESSORS, Need.FIXED_WORKERS, Need.BOUND_THREADS);
    }

    @Override
    public ReadyOrder order() {
        return new TaskRing();
    }

    @Override
    public Placement placement() {
        return (task, machine) ->
                machine.places().get(place(task, machine.places().size()));
    }

    /** A worker that was asked for and does not exist is mapped to one that does: programs move to smaller machines. */
    private static int place(ReadyTask task, int workers) {
        int affinity = task.affinity();
        return affinity >= 0 ? affinity % workers : ((task.locality().hashCode() * GOLDEN) >>> 8) % workers;
    }
}
