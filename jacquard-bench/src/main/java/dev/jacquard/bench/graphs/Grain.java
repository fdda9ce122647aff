package dev.jacquard.bench.graphs;

import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tasks of one length in eight chains, submitted in turn: how much of the time of the threads goes into the bodies. */
final class Grain extends Workload {
    private static final int CHAINS = 8;
    private static final int MOST_TASKS = 1 << 16;
    private static final int FEWEST_TASKS = 1 << 11;
    private static final int QUICK_TASKS = 1 << 9;
    /** The time that the bodies of a round take together, about. */
    private static final long ROUND_NANOS = 16_000_000;

    private static final double PERCENT = 100;

    private final long bodyNanos;
    /**
     * Nanoseconds of a body in the present round, as a plain loop has them. Confined to the thread of the benchmark.
     */
    private double measured = Double.NaN;

    /** A workload of bodies of {@code bodyNanos}, which {@code length} says in its name. */
    Grain(String length, long bodyNanos) {
        super("dynamic.grain." + length, "ns/task", new Rounds(0, 1), new Rounds(100, 31));
        this.bodyNanos = bodyNanos;
    }

    @Override
    public String unit(String part) {
        return part.isEmpty() ? unit() : "%";
    }

    @Override
    public int settling() {
        return 1;
    }

    /** The plain loop: the others' efficiency is relative to its time. */
    @Override
    public int leaders() {
        return 1;
    }

    @Override
    public List<Absence> absences(Plan plan) {
        return Rival.OPENMP.absence().stream().toList();
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        long most = plan.quick() ? QUICK_TASKS : Math.clamp(ROUND_NANOS / bodyNanos, FEWEST_TASKS, MOST_TASKS);
        Shape shape = Shape.updates((int) most, CHAINS);
        int steps = GrainBoard.steps(bodyNanos, plan.clock());
        List<Contender> contenders = new ArrayList<>();
        contenders.add(new Here("sequential", 1, shape, steps, plan.clock(), SequentialTasks::new));
        for (int workers : plan.workers()) {
            contenders.add(new Here("jacquard", workers, shape, steps, plan.clock(), JacquardTasks::new));
            contenders.add(new Here(
                    "jacquard-no-window",
                    workers,
                    shape,
                    steps,
                    plan.clock(),
                    (threads, its, work) -> new JacquardTasks(threads, its, work, 0, 0)));
            contenders.add(
                    new Here("completablefuture", workers, shape, steps, plan.clock(), CompletableFutureTasks::new));
            if (Rival.OPENMP.absence().isEmpty()) {
                contenders.add(new There("", workers, shape, steps));
                if (workers > 1) {
                    contenders.add(new There(Rival.DEFAULT, workers, shape, steps));
                }
            }
        }
        return contenders;
    }

    /** The figures of a round that took {@code nanos} per task. */
    private Map<String, Double> figures(int workers, double nanos) {
        return Map.of(Contender.MAIN, nanos, ".efficiency", PERCENT * measured / (workers * nanos));
    }

    /** A system of this process. */
    private final class Here extends ShapeContender {
        Here(String system, int workers, Shape shape, int steps, Clock clock, Shape.Maker maker) {
            super(system, workers, shape, new GrainBoard(shape, steps), clock, maker);
        }

        @Override
        public Map<String, Double> round() throws Exception {
            double nanos = nanosPerTask();
            if (system().equals("sequential")) {
                measured = nanos;
            }
            return figures(workers(), nanos);
        }
    }

    /** OpenMP. */
    private final class There extends RivalContender {
        There(String variant, int workers, Shape shape, int steps) throws IOException {
            super(Rival.OPENMP, variant, workers, shape, "grain", steps);
        }

        @Override
        public Map<String, Double> round() throws IOException {
            return figures(workers(), nanosPerTask());
        }
    }
}
