package dev.jacquard.bench.dynamic;

import dev.jacquard.bench.workload.Contender;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Rounds;
import dev.jacquard.bench.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** 65,536 tasks of one shape, submitted and run. */
public final class DynamicTasks implements Workload {
    private static final int TASKS = 1 << 16;
    private static final int QUICK_TASKS = 1 << 12;

    private final String name;
    private final IntFunction<Shape> shapes;

    /**
     * A workload.
     *
     * @param shapes makes a shape of so many tasks, a square number
     */
    public DynamicTasks(String name, IntFunction<Shape> shapes) {
        this.name = name;
        this.shapes = shapes;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String unit() {
        return "ns/task";
    }

    @Override
    public Rounds rounds(Plan plan) {
        return plan.quick() ? new Rounds(1, 3) : new Rounds(20, 21);
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        Shape shape = shapes.apply(plan.quick() ? QUICK_TASKS : TASKS);
        List<Contender> contenders = new ArrayList<>();
        for (int workers : plan.workers()) {
            contenders.add(new JacquardTasks(workers, shape, plan.clock()));
            contenders.add(new ForkJoinTasks(workers, shape, plan.clock()));
            contenders.add(new CompletableFutureTasks(workers, shape, plan.clock()));
        }
        contenders.add(new SequentialTasks(shape, plan.clock()));
        return contenders;
    }
}
