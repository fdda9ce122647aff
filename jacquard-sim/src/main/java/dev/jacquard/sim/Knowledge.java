package dev.jacquard.sim;

import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.model.TimeModel;
import dev.jacquard.engine.plan.WorkGraph;
import dev.jacquard.engine.work.ReadyTask;
import org.jspecify.annotations.Nullable;

/**
 * The times of tasks as a policy knows them: those of the graph, or those that a model has learned from the tasks that
 * have ended. In nanoseconds. Threads: confined to one run.
 */
final class Knowledge {
    private static final double UNKNOWN = -1;

    private final WorkGraph graph;
    private final int hosts;
    private final double nanosPerUnit;
    /** Null where the times of the graph are known. */
    private final @Nullable TimeModel model;
    /** True if the policy wants host tasks to be timed. */
    private final boolean timed;

    Knowledge(WorkGraph graph, int hosts, double nanosPerUnit, boolean learned, boolean timed) {
        this.graph = graph;
        this.hosts = hosts;
        this.nanosPerUnit = nanosPerUnit;
        this.model = learned ? new TimeModel() : null;
        this.timed = timed;
    }

    double nanos(double units) {
        return units * nanosPerUnit;
    }

    /** Sets the expected time of a task of the host, if the policy wants times. */
    void expect(SimTask task) {
        if (timed) {
            task.expect((long) Math.max(0, nanos(task, Place.HOST)));
        }
    }

    /** Returns the time of a task at a place, or at any worker of the host; negative if it is not known. */
    double nanos(ReadyTask task, Place place) {
        boolean device = place.isDevice();
        if (model != null) {
            return device || timed ? model.nanos(task.name(), device ? place : Place.HOST, 0) : UNKNOWN;
        }
        int number = ((SimTask) task).number;
        if (place == Place.HOST) {
            double mean = onHost(number);
            return mean < 0 ? UNKNOWN : nanos(mean);
        }
        return nanos(graph.cost(number, Places.index(place, hosts)));
    }

    /** Returns the mean of the times at the workers of the host that can run the task. */
    private double onHost(int task) {
        double first = graph.cost(task, 0);
        double sum = 0;
        int count = 0;
        boolean equal = true;
        for (int worker = 0; worker < hosts; worker++) {
            double cost = graph.cost(task, worker);
            equal &= cost == first;
            sum += cost < Double.POSITIVE_INFINITY ? cost : 0;
            count += cost < Double.POSITIVE_INFINITY ? 1 : 0;
        }
        return equal ? first : count == 0 ? UNKNOWN : sum / count;
    }

    /** A task has ended. */
    void ran(SimTask task, Place place, double nanos) {
        if (model != null && (timed || place.isDevice())) {
            model.add(task.name(), place, 0, Math.max(1, nanos));
        }
    }
}
