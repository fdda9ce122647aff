package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.memory.data.Data;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tasks of a trial that have formulas. Threads: submitters. */
final class FormulaTasks {
    private final @Nullable Formulas formulas;
    private final World world;

    /** {@code formulas} is null where no task has one. */
    FormulaTasks(@Nullable Formulas formulas, World world) {
        this.formulas = formulas;
        this.world = world;
    }

    /** Submits a loop whose accesses are declared: as a kernel where it may be elsewhere than on the host. */
    Task<?> submit(TaskBuilder task, Job job) {
        Formulas loops = Objects.requireNonNull(formulas);
        if (job.kind() == Job.Kind.GHOSTS) {
            int store = job.touches().getFirst().store();
            Data data = (Data) world.resource(store);
            Walls walls = Walls.of(job, world.store(store));
            return isKernel(job) ? task.run(loops.fillingKernel(data, walls)) : task.run(loops.filling(data, walls));
        }
        boolean ghosts = job.kind() == Job.Kind.STENCIL;
        List<Data> its = Judge.formula(job).stream()
                .map(store -> (Data) world.resource(store))
                .toList();
        long number = Mix.value(job.id());
        return isKernel(job)
                ? task.run(loops.kernel(its.getLast(), its.get(0), its.get(1), number, ghosts))
                : task.run(loops.body(its.getLast(), its.get(0), its.get(1), number, ghosts));
    }

    /** True if a formula is a kernel. */
    static boolean isKernel(Job job) {
        return job.where().target() >= 0 || job.id() / 100 % 2 == 0;
    }
}
