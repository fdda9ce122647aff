package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Contender;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload.Absence;
import dev.jacquard.bench.workload.Workload.Rounds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** 65,536 tasks of one shape, run again and again. */
final class CompiledGraphs extends ShapeWorkload {
    private static final int TASKS = 1 << 16;
    private static final int QUICK_TASKS = 1 << 12;
    private static final List<Rival> RIVALS = List.of(Rival.ONETBB, Rival.TASKFLOW);
    /** Several young generations. */
    private static final int GARBAGE = 2_000_000;

    private static final int PIECE_BYTES = 1_024;

    private final boolean copied;
    /** The last pieces of garbage, so that compilers cannot leave them out. */
    private final byte[][] pieces = new byte[64][];

    /**
     * A workload.
     *
     * @param shapes makes a shape of a number of tasks, a square number
     */
    public CompiledGraphs(String name, IntFunction<Shape> shapes) {
        this(name, shapes, false);
    }

    private CompiledGraphs(String name, IntFunction<Shape> shapes, boolean copied) {
        super(name, shapes, TASKS, QUICK_TASKS, new Rounds(10, 31));
        this.copied = copied;
    }

    /** A workload whose graphs young collections have copied before the rounds. */
    public static CompiledGraphs copied(String name, IntFunction<Shape> shapes) {
        return new CompiledGraphs(name, shapes, true);
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
            contenders.add(new ShapeContender("jacquard", workers, shape, checking, plan.clock(), JacquardGraph::new));
            contenders.add(new ShapeContender("forkjoin", workers, shape, checking, plan.clock(), ForkJoinGraph::new));
            for (Rival rival : RIVALS) {
                if (rival.absence().isEmpty()) {
                    contenders.add(new RivalContender(rival, "prebuilt", workers, shape, checking));
                }
            }
        }
        contenders.add(new ShapeContender("sequential", 1, shape, checking, plan.clock(), SequentialTasks::new));
        int garbage = copied && !plan.quick() ? GARBAGE : 0;
        for (int i = 0; i < garbage; i++) {
            pieces[i % pieces.length] = new byte[PIECE_BYTES];
        }
        return contenders;
    }
}
