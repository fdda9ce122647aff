package dev.jacquard.engine.schedule;

import dev.jacquard.engine.work.ReadyTask;

/**
 * Says which worker a ready task goes to.
 *
 * <p>Threads: any number call it at a time, unless the policy {@linkplain Need#EXCLUSIVE_CALLS needs} exclusive calls.
 * Must not block, nor call the session.
 *
 * <p>Source: the abstract runtime system document, section II-C5.
 */
@FunctionalInterface
public interface Placement {
    /**
     * Where {@code task} goes, which just became ready.
     *
     * @return 0 to {@code machine.workers() - 1}; anything else ends the run with a {@link PolicyException}
     */
    int place(ReadyTask task, MachineState machine);
}
