package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.bench.workload.Workload.Rounds;
import java.util.function.IntFunction;

/** A workload of the tasks of one shape: nanoseconds per task, and far fewer tasks and rounds in a quick plan. */
abstract class ShapeWorkload implements Workload {
    private final String name;
    private final IntFunction<Shape> shapes;
    private final int tasks;
    private final int quickTasks;
    private final Rounds rounds;

    /**
     * For subclasses.
     *
     * @param shapes makes a shape of a number of tasks
     * @param tasks the number of tasks
     * @param quickTasks the number of tasks in a quick plan
     * @param rounds the rounds, but for those of a quick plan
     */
    protected ShapeWorkload(String name, IntFunction<Shape> shapes, int tasks, int quickTasks, Rounds rounds) {
        this.name = name;
        this.shapes = shapes;
        this.tasks = tasks;
        this.quickTasks = quickTasks;
        this.rounds = rounds;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String unit() {
        return "ns/task";
    }

    @Override
    public final Rounds rounds(Plan plan) {
        return plan.quick() ? new Rounds(1, 3) : rounds;
    }

    @Override
    public final int settling() {
        return 1;
    }

    /** Makes the shape, as large as the plan has it. */
    protected final Shape shape(Plan plan) {
        return shapes.apply(plan.quick() ? quickTasks : tasks);
    }
}
