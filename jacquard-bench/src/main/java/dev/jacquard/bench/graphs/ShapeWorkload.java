package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import java.util.function.IntFunction;

/** A workload of the tasks of one shape: nanoseconds per task, and far fewer tasks and rounds in a quick plan. */
abstract class ShapeWorkload extends Workload {
    private final IntFunction<Shape> shapes;
    private final int tasks;
    private final int quickTasks;

    /** For subclasses; {@code shapes} makes a shape of a number of tasks, a square number. */
    ShapeWorkload(String name, IntFunction<Shape> shapes, int tasks, int quickTasks, Rounds rounds) {
        super(name, "ns/task", new Rounds(0, 1), rounds);
        this.shapes = shapes;
        this.tasks = tasks;
        this.quickTasks = quickTasks;
    }

    @Override
    public final int settling() {
        return 1;
    }

    /** Makes the shape, as large as the plan has it. */
    final Shape shape(Plan plan) {
        return shapes.apply(plan.quick() ? quickTasks : tasks);
    }
}
