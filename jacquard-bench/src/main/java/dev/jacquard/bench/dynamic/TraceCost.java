package dev.jacquard.bench.dynamic;

import dev.jacquard.bench.shape.Shape;
import dev.jacquard.bench.shape.ShapeContender;
import dev.jacquard.bench.workload.Contender;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Rounds;
import dev.jacquard.bench.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/** What a trace costs per task when it is taken, and when it is not: the latter beside a core without the questions for it. */
public final class TraceCost implements Workload {
    private static final int TASKS = 1 << 16;
    private static final int QUICK_TASKS = 1 << 12;
    private static final int SPANS = 1 << 12;

    /** For the list of workloads. */
    public TraceCost() {}

    @Override
    public String name() {
        return "trace.chain";
    }

    @Override
    public String unit() {
        return "ns/task";
    }

    @Override
    public Rounds rounds(Plan plan) {
        return plan.quick() ? new Rounds(1, 3) : new Rounds(30, 101);
    }

    @Override
    public List<Contender> contenders(Plan plan) {
        Shape shape = Shape.updates(plan.quick() ? QUICK_TASKS : TASKS, 1);
        boolean checking = plan.quick();
        List<Contender> contenders = new ArrayList<>();
        contenders.add(new ShapeContender("jacquard", 1, shape, checking, plan.clock(), Untraced::makeAsking));
        contenders.add(new ShapeContender("jacquard-without-trace", 1, shape, checking, plan.clock(), Untraced::make));
        contenders.add(new ShapeContender(
                "jacquard-traced",
                1,
                shape,
                checking,
                plan.clock(),
                (workers, tasks, work) -> new JacquardTasks(workers, tasks, work, SPANS)));
        return contenders;
    }
}
