package dev.jacquard.bench.graphs;

import dev.jacquard.bench.workload.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** 65,536 tasks of one shape: of a graph that is made once and run again and again, or submitted in each round. */
final class ShapeTasks extends ShapeWorkload {
    private static final int TASKS = 1 << 16;
    private static final int QUICK_TASKS = 1 << 12;
    private static final List<Here> COMPILED =
            List.of(new Here("jacquard", JacquardGraph::new), new Here("forkjoin", ForkJoinGraph::new));
    private static final List<Here> DYNAMIC = List.of(
            new Here("jacquard", JacquardTasks::new),
            new Here("forkjoin", ForkJoinTasks::new),
            new Here("completablefuture", CompletableFutureTasks::new));
    /** Several young generations. */
    private static final int GARBAGE = 2_000_000;

    private static final int PIECE_BYTES = 1_024;

    private final List<Here> systems;
    private final List<Rival> rivals;
    private final String variant;
    private final boolean copied;
    private final int fewestOpenMpThreads;
    /** The last pieces of garbage, so that compilers cannot leave them out. */
    private final byte[][] pieces = new byte[64][];

    /** A system of this process. */
    private record Here(String system, Shape.Maker maker) {}

    private ShapeTasks(String name, IntFunction<Shape> shapes, boolean copied) {
        super(name, shapes, TASKS, QUICK_TASKS, new Rounds(60, 31));
        this.systems = COMPILED;
        this.rivals = List.of(Rival.ONETBB, Rival.TASKFLOW);
        this.variant = "prebuilt";
        this.copied = copied;
        this.fewestOpenMpThreads = 1;
    }

    private ShapeTasks(String name, IntFunction<Shape> shapes, int fewestOpenMpThreads) {
        super(name, shapes, TASKS, QUICK_TASKS, new Rounds(20, 21));
        this.systems = DYNAMIC;
        this.rivals = List.of(Rival.OPENMP, Rival.STARPU);
        this.variant = "";
        this.copied = false;
        this.fewestOpenMpThreads = fewestOpenMpThreads;
    }

    /** Graphs that are run again and again. */
    static ShapeTasks compiled(String name, IntFunction<Shape> shapes) {
        return new ShapeTasks(name, shapes, false);
    }

    /** Graphs that young collections have copied before the rounds. */
    static ShapeTasks copied(String name, IntFunction<Shape> shapes) {
        return new ShapeTasks(name, shapes, true);
    }

    /** Tasks that are submitted in each round. */
    static ShapeTasks dynamic(String name, IntFunction<Shape> shapes) {
        return new ShapeTasks(name, shapes, 1);
    }

    /**
     * Submitted tasks with five accesses. OpenMP is left out with one thread: gcc's then takes a time that grows with
     * the square of the number of tasks, some 10 s for these.
     */
    static ShapeTasks accesses5() {
        return new ShapeTasks("dynamic.accesses5", Shape::accesses5, 2);
    }

    @Override
    public List<Absence> absences(Plan plan) {
        return Rival.absences(rivals);
    }

    @Override
    public List<Contender> contenders(Plan plan) throws IOException {
        Shape shape = shape(plan);
        boolean checking = plan.quick();
        List<Contender> contenders = new ArrayList<>();
        for (int workers : plan.workers()) {
            for (Here here : systems) {
                contenders.add(here(here.system, workers, shape, plan, here.maker));
            }
            for (Rival rival : rivals) {
                if (rival.absence().isEmpty() && (rival != Rival.OPENMP || workers >= fewestOpenMpThreads)) {
                    contenders.add(new RivalContender(rival, variant, workers, shape, checking));
                    if (rival == Rival.OPENMP && workers > 1) {
                        contenders.add(new RivalContender(rival, Rival.DEFAULT, workers, shape, checking));
                    }
                }
            }
        }
        contenders.add(here("sequential", 1, shape, plan, SequentialTasks::new));
        int garbage = copied && !plan.quick() ? GARBAGE : 0;
        for (int i = 0; i < garbage; i++) {
            pieces[i % pieces.length] = new byte[PIECE_BYTES];
        }
        return contenders;
    }

    private static Contender here(String system, int workers, Shape shape, Plan plan, Shape.Maker maker) {
        if (!plan.quick()) {
            System.gc(); // one that comes while a graph is made would scatter the nodes made before
        }
        return new ShapeContender(system, workers, shape, new Board(shape, plan.quick()), plan.clock(), maker);
    }
}
