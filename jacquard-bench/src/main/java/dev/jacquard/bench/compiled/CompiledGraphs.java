package dev.jacquard.bench.compiled;

import dev.jacquard.bench.rivals.Rival;
import dev.jacquard.bench.rivals.RivalContender;
import dev.jacquard.bench.shape.SequentialTasks;
import dev.jacquard.bench.shape.Shape;
import dev.jacquard.bench.shape.ShapeContender;
import dev.jacquard.bench.workload.Absence;
import dev.jacquard.bench.workload.Contender;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Rounds;
import dev.jacquard.bench.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** 65,536 tasks of one shape, run again and again. */
public final class CompiledGraphs implements Workload {
    private static final int TASKS = 1 << 16;
    private static final int QUICK_TASKS = 1 << 12;

    private final String name;
    private final IntFunction<Shape> shapes;

    /**
     * A workload.
     *
     * @param shapes makes a shape of so many tasks, a square number
     */
    public CompiledGraphs(String name, IntFunction<Shape> shapes) {
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
        return plan.quick() ? new Rounds(1, 3) : new Rounds(10, 31);
    }

    @Override
    public int settling() {
        return 1;
    }

    @Override
    public List<Absence> absences(Plan plan) {
        return Stream.of(Rival.ONETBB, Rival.TASKFLOW)
                .flatMap(rival -> rival.absence().stream())
                .toList();
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        Shape shape = shapes.apply(plan.quick() ? QUICK_TASKS : TASKS);
        boolean checking = plan.quick();
        List<Contender> contenders = new ArrayList<>();
        for (int workers : plan.workers()) {
            contenders.add(new ShapeContender("jacquard", workers, shape, checking, plan.clock(), JacquardGraph::new));
            contenders.add(new ShapeContender("forkjoin", workers, shape, checking, plan.clock(), ForkJoinGraph::new));
            if (Rival.ONETBB.absence().isEmpty()) {
                contenders.add(new RivalContender(Rival.ONETBB, "prebuilt", workers, shape, checking));
            }
            if (Rival.TASKFLOW.absence().isEmpty()) {
                contenders.add(new RivalContender(Rival.TASKFLOW, "prebuilt", workers, shape, checking));
            }
        }
        contenders.add(new ShapeContender("sequential", 1, shape, checking, plan.clock(), SequentialTasks::new));
        return contenders;
    }
}
