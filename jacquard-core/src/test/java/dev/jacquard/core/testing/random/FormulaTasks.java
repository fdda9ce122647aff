package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.Data;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The tasks of a trial that have formulas. Threads: submitters. */
final class FormulaTasks {
    private final @Nullable Formulas formulas;
    private final World world;
    private final Session session;
    /** The trees inside of tasks and compiled graphs; null before the first one. Guarded by this. */
    private Formulas.@Nullable Trees trees;
    /**
     * The trees in graphs, apart from the others: a submitter may wait for room, for what bodies do that submit trees,
     * too. Guarded by this.
     */
    private Formulas.@Nullable Trees live;
    /** The jobs whose loops are in the graph. */
    private final Set<Job> submitted = ConcurrentHashMap.newKeySet();

    /** {@code formulas} is null where no task has one. */
    FormulaTasks(@Nullable Formulas formulas, World world, Session session) {
        this.formulas = formulas;
        this.world = world;
        this.session = session;
    }

    /** Submits a loop whose accesses are declared: as a kernel where it may be elsewhere than on the host. */
    Task<?> submit(TaskBuilder task, Job job) {
        if (job.manner().tree()) {
            return submitted.contains(job)
                    ? task.run(context -> {})
                    : task.run(context -> context.refine(sub -> submitTree(sub, job)));
        }
        Formulas loops = Objects.requireNonNull(formulas);
        if (job.kind() == Job.Kind.GHOSTS) {
            int store = job.touches().getFirst().store();
            Data data = (Data) world.resource(store);
            Walls walls = Walls.of(job, world.store(store));
            return isKernel(job) ? task.run(loops.fillingKernel(data, walls)) : task.run(loops.filling(data, walls));
        }
        boolean ghosts = job.kind() == Job.Kind.STENCIL;
        List<Data> its = data(job);
        long number = Mix.value(job.id());
        return isKernel(job)
                ? task.run(loops.kernel(its.getLast(), its.get(0), its.get(1), number, ghosts))
                : task.run(loops.body(its.getLast(), its.get(0), its.get(1), number, ghosts));
    }

    private List<Data> data(Job job) {
        return Judge.formula(job).stream()
                .map(store -> (Data) world.resource(store))
                .toList();
    }

    /** Submits the loops of a tree, inside its task or to what records. */
    void submitTree(Tasks where, Job job) {
        submit(trees(), where, job);
    }

    /**
     * Submits the loops of some trees to their graph, by a submitter; returns true if so. The task of the job does
     * nothing then, behind them, and must not overwrite what they wrote.
     */
    boolean submitsLive(Tasks graph, Job job) {
        if (!job.manner().tree() || job.id() / 100 % 2 != 0) {
            return false;
        }
        submitted.add(job);
        submit(live(), graph, job);
        return true;
    }

    private void submit(Formulas.Trees by, Tasks where, Job job) {
        List<Data> its = data(job);
        boolean ghosts = job.kind() == Job.Kind.STENCIL;
        by.submit(where, its.getLast(), its.get(0), its.get(1), Mix.value(job.id()), ghosts);
    }

    private synchronized Formulas.Trees trees() {
        if (trees == null) {
            trees = Objects.requireNonNull(formulas).trees(session);
        }
        return trees;
    }

    private synchronized Formulas.Trees live() {
        if (live == null) {
            live = Objects.requireNonNull(formulas).trees(session);
        }
        return live;
    }

    /** Gives back the memory of temporaries. All is over, and the session open. */
    synchronized void close() {
        if (trees != null) {
            trees.close();
        }
        if (live != null) {
            live.close();
        }
    }

    /** True if a formula is a kernel. */
    static boolean isKernel(Job job) {
        return job.where().target() >= 0 || job.id() / 100 % 2 == 0;
    }
}
