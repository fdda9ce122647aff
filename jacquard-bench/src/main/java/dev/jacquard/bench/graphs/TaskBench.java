package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The smallest efficient tasks of one of Task Bench's patterns, at one width. */
final class TaskBench extends Workload {
    private static final int STEPS = 1000;
    private static final int QUICK_STEPS = 20;
    private static final long MOST_ITERATIONS = 1 << 16;
    private static final long QUICK_MOST_ITERATIONS = 1 << 5;

    private final Pattern pattern;
    private final int width;

    /** A workload of steps of {@code width} points, at least 2. */
    TaskBench(Pattern pattern, int width) {
        super(
                "metg." + pattern.name().toLowerCase(Locale.ROOT) + ".w" + width,
                "us/task",
                new Rounds(0, 1),
                new Rounds(2, 7));
        this.pattern = pattern;
        this.width = width;
    }

    @Override
    public List<Absence> absences(Plan plan) {
        List<Absence> absences = new ArrayList<>();
        for (Rival rival : Rival.values()) {
            rival.absence().ifPresent(absences::add);
        }
        ComputeBound.problem().ifPresent(problem -> absences.add(new Absence("jacquard", problem, "./jacquard bench")));
        return absences;
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        Pattern.Tasks tasks = pattern.tasks(plan.quick() ? QUICK_STEPS : STEPS, width);
        List<Contender> contenders = new ArrayList<>();
        int workers = Collections.max(plan.workers());
        if (ComputeBound.problem().isEmpty()) {
            contenders.add(here("jacquard", workers, tasks, plan, JacquardGraph::new));
            contenders.add(here("jacquard-dynamic", workers, tasks, plan, JacquardTasks::new));
            contenders.add(here("forkjoin", workers, tasks, plan, ForkJoinGraph::new));
        }
        addRival(contenders, Rival.ONETBB, "prebuilt", "", workers, tasks, plan);
        addRival(contenders, Rival.ONETBB, "built", "-built", workers, tasks, plan);
        addRival(contenders, Rival.OPENMP, "", "", workers, tasks, plan);
        addRival(contenders, Rival.STARPU, "", "", workers, tasks, plan);
        return contenders;
    }

    private static Contender here(String system, int workers, Pattern.Tasks tasks, Plan plan, Shape.Maker maker) {
        return sweep(system, workers, tasks, plan, new JavaPointRuns(system, workers, tasks, plan.clock(), maker));
    }

    private static void addRival(
            List<Contender> contenders,
            Rival rival,
            String variant,
            String suffix,
            int workers,
            Pattern.Tasks tasks,
            Plan plan)
            throws IOException {
        if (rival.absence().isEmpty()) {
            SweepContender.PointRuns runs =
                    rival.start(variant, workers, "point", tasks.shape(), tasks.step(), tasks.point());
            contenders.add(sweep(rival.system() + suffix, workers, tasks, plan, runs));
        }
    }

    private static Contender sweep(
            String system, int workers, Pattern.Tasks tasks, Plan plan, SweepContender.PointRuns runs) {
        long most = plan.quick() ? QUICK_MOST_ITERATIONS : MOST_ITERATIONS;
        return new SweepContender(system, workers, tasks.shape().tasks(), most, runs);
    }
}
