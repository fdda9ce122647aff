package dev.jacquard.engine.schedule;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.List;

/**
 * Says where a task goes: to which worker once the task is ready, to which device when its kernel is submitted and
 * could run on several.
 *
 * <p>Threads: any number call it at a time, unless the policy {@linkplain Need#EXCLUSIVE_CALLS needs} exclusive calls.
 * Must not block, nor call the session.
 *
 * <p>Source: the abstract runtime system document, section II-C5.
 */
@FunctionalInterface
public interface Placement {
    /**
     * Returns where {@code task} goes.
     *
     * @return one of {@code machine.places()}; anything else ends the run with a {@link PolicyException}
     */
    Place place(ReadyTask task, MachineState machine);

    /** Returns why the newest tasks went where they did, the last one last; empty where a placement does not say. */
    default List<Explanation> explanations() {
        return List.of();
    }
}
