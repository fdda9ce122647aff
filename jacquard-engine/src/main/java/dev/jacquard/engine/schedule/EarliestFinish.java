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
        double usual = usualNanos(task, machine, places);
        boolean byTasks = usual < 0 && places.contains(Place.HOST);
        Choices.Choice choice = choices.next();
        synchronized (choice) {
            choice.begin(task, places.size());
            for (int i = 0; i < places.size(); i++) {
                Place place = places.get(i);
                double run = machine.runNanos(task, place);
                choice.add(
                        place,
                        machine.queuedNanos(place),
                        machine.dataNanos(task, place),
                        run < 0 ? Math.max(0, usual) : run,
                        machine.missingBytes(task, place),
                        machine.tasks(place));
            }
            return choice.decide(byTasks);
        }
    }

    /** Returns the mean of the times that are known; negative when none is. */
    private static double usualNanos(ReadyTask task, MachineState machine, List<Place> places) {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < places.size(); i++) {
            double nanos = machine.runNanos(task, places.get(i));
            if (nanos >= 0) {
                sum += nanos;
                count++;
            }
        }
        return count == 0 ? -1 : sum / count;
    }

    @Override
    public List<Explanation> explanations() {
        return choices.explanations();
    }
}
