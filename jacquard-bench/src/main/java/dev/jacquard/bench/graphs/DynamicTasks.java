package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Contender;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload.Absence;
import dev.jacquard.bench.workload.Workload.Rounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** 65,536 tasks of one shape, submitted and run. */
final class DynamicTasks extends ShapeWorkload {
    private static final int TASKS = 1 << 16;
    private static final int QUICK_TASKS = 1 << 12;
    private static final List<Rival> RIVALS = List.of(Rival.OPENMP, Rival.STARPU);

    private final int fewestOpenMpThreads;

    private DynamicTasks(String name, IntFunction<Shape> shapes, int fewestOpenMpThreads) {
        super(name, shapes, TASKS, QUICK_TASKS, new Rounds(20, 21));
        this.fewestOpenMpThreads = fewestOpenMpThreads;
    }

    /**
     * A workload.
     *
     * @param shapes makes a shape of a number of tasks, a square number
     */
    public DynamicTasks(String name, IntFunction<Shape> shapes) {
        this(name, shapes, 1);
    }

    /**
     * The workload with five accesses per task. OpenMP is left out with one thread: gcc's then takes a time that grows
     * with the square of the number of tasks, some 10 s for these.
     */
    public static DynamicTasks accesses5() {
        return new DynamicTasks("dynamic.accesses5", Shape::accesses5, 2);
    }

    @Override
    public List<Absence> absences(Plan plan) {
        return Rival.absences(RIVALS);
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        Shape shape = shape(plan);
        boolean checking = plan.quick();
        List<Contender> contenders = new ArrayList<>();
        for (int workers : plan.workers()) {
            contenders.add(new ShapeContender("jacquard", workers, shape, checking, plan.clock(), JacquardTasks::new));
            contenders.add(new ShapeContender("forkjoin", workers, shape, checking, plan.clock(), ForkJoinTasks::new));
            contenders.add(new ShapeContender(
                    "completablefuture", workers, shape, checking, plan.clock(), CompletableFutureTasks::new));
            for (Rival rival : RIVALS) {
                if (rival.absence().isEmpty() && (rival != Rival.OPENMP || workers >= fewestOpenMpThreads)) {
                    contenders.add(new RivalContender(rival, "", workers, shape, checking));
                    if (rival == Rival.OPENMP && workers > 1) {
                        contenders.add(new RivalContender(rival, Rival.DEFAULT, workers, shape, checking));
                    }
                }
            }
        }
        contenders.add(new ShapeContender("sequential", 1, shape, checking, plan.clock(), SequentialTasks::new));
        return contenders;
    }
}
