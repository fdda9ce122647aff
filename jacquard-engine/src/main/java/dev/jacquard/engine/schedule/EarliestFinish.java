package dev.jacquard.engine.schedule;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A task goes where it is expected to end first: its data is there, the place has done its earlier tasks, and the task
 * runs as long as such tasks did so far. Of equal ends the place to which less has to be copied, then the one with
 * fewest tasks. This is the earliest-finish-time rule, one task at a time, and the rule that chooses devices unless a
 * policy has its own placement.
 *
 * <p>Threads: any. The explanations are guarded by their own monitor.
 *
 * <p>Source: the abstract runtime system document, section II-C5.
 */
public final class EarliestFinish implements Placement {
    /** The number of choices that are remembered. */
    private static final int REMEMBERED = 256;

    /** The newest last. */
    private final Deque<Explanation> explanations = new ArrayDeque<>();

    /** Makes a placement without memories. */
    public EarliestFinish() {}

    @Override
    public Place place(ReadyTask task, MachineState machine) {
        List<Place> places = machine.places();
        double[] runs = runNanos(task, machine, places);
        List<Explanation.Estimate> estimates = new ArrayList<>(places.size());
        int best = 0;
        for (int i = 0; i < places.size(); i++) {
            estimates.add(estimate(task, machine, places.get(i), runs[i]));
            best = isBetter(estimates.get(i), estimates.get(best)) ? i : best;
        }
        remember(new Explanation(task.name(), task.kernel(), places.get(best).name(), estimates));
        return places.get(best);
    }

    private static Explanation.Estimate estimate(ReadyTask task, MachineState machine, Place place, double run) {
        double queued = machine.queuedNanos(place);
        double data = machine.dataNanos(task, place);
        return new Explanation.Estimate(
                place.name(),
                queued,
                data,
                run,
                Math.max(queued, data) + run,
                machine.missingBytes(task, place),
                machine.tasks(place));
    }

    private static boolean isBetter(Explanation.Estimate one, Explanation.Estimate other) {
        if (one.endNanos() != other.endNanos()) {
            return one.endNanos() < other.endNanos();
        }
        return one.missingBytes() != other.missingBytes()
                ? one.missingBytes() < other.missingBytes()
                : one.tasks() < other.tasks();
    }

    /** Returns the times at the places; where none is known the mean of the others, and 0 when none is at all. */
    private static double[] runNanos(ReadyTask task, MachineState machine, List<Place> places) {
        double[] nanos = new double[places.size()];
        double sum = 0;
        int count = 0;
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = machine.runNanos(task, places.get(i));
            sum += Math.max(0, nanos[i]);
            count += nanos[i] < 0 ? 0 : 1;
        }
        double usual = count == 0 ? 0 : sum / count;
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = nanos[i] < 0 ? usual : nanos[i];
        }
        return nanos;
    }

    private void remember(Explanation one) {
        synchronized (explanations) {
            if (explanations.size() == REMEMBERED) {
                explanations.remove();
            }
            explanations.add(one);
        }
    }

    @Override
    public List<Explanation> explanations() {
        synchronized (explanations) {
            return List.copyOf(explanations);
        }
    }
}
