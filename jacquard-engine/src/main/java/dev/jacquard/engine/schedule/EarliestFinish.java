package dev.jacquard.engine.schedule;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.List;

/**
 * A task goes where it is expected to end first: its data is there, the place has done its earlier tasks, and the task
 * runs as long as such tasks did so far. Of equal ends the place to which less has to be copied, then the one with
 * fewest tasks. This is the earliest-finish-time rule, one task at a time, and the rule that chooses devices unless a
 * policy has its own placement.
 *
 * <p>At a place where such tasks were not measured, the task counts as long as elsewhere. While it was measured
 * nowhere, and the host is among the places, the place with the fewest tasks is chosen, so that all are measured.
 *
 * <p>A place where such tasks took longer is tried again now and then, since it may be faster by now: where
 * {@link MachineState#isDue} says so, and the task could begin there before it would end elsewhere. So a retry takes at
 * most the time of the task there longer than the best place, and all retries at most 1/64 of the time. If the host is
 * among the places, one where they were not measured is tried, too.
 *
 * <p>Threads: any. A decision allocates nothing.
 *
 * <p>Source: the abstract runtime system document, section II-C5.
 */
public final class EarliestFinish implements Placement {
    private final Choices choices = new Choices();

    /** Makes a placement without memories. */
    public EarliestFinish() {}

    @Override
    public Place place(ReadyTask task, MachineState machine) {
        List<Place> places = machine.places();
        Choices.Choice choice = choices.next();
        synchronized (choice) {
            choice.begin(task, places.size());
            for (int i = 0; i < places.size(); i++) {
                Place place = places.get(i);
                choice.add(
                        place,
                        machine.queuedNanos(place),
                        machine.dataNanos(task, place),
                        machine.runNanos(task, place),
                        machine.missingBytes(task, place),
                        machine.tasks(place));
            }
            return choice.decide(task, machine);
        }
    }

    @Override
    public List<Explanation> explanations() {
        return choices.explanations();
    }
}
