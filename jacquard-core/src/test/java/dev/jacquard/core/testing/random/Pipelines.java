package dev.jacquard.core.testing.random;

import dev.jacquard.core.graph.Task;
import dev.jacquard.core.graph.TaskBuilder;
import dev.jacquard.core.kernel.Kernel;
import dev.jacquard.core.macro.ForkJoinDriver;
import dev.jacquard.core.macro.MacroTask;
import dev.jacquard.core.macro.MacroTask.Where;
import dev.jacquard.core.macro.PipelineDriver;
import dev.jacquard.core.session.Session;
import dev.jacquard.memory.data.View;
import java.util.List;

/** Macro tasks of one item, which is a kernel with all data of its task. */
final class Pipelines {
    private static final int STREAMS = 3;
    private static final List<Where> PLACES = List.of(Where.ANY, Where.BOTH, Where.HOST);
    private static final List<ForkJoinDriver> DRIVERS =
            List.of(ForkJoinDriver.WORKERS, ForkJoinDriver.threads(1), ForkJoinDriver.VIRTUAL_THREADS);

    private Pipelines() {}

    /** Returns whether {@code job} is a macro task. */
    static boolean has(Job job) {
        return job.manner().pipeline() && job.fate().equals(Job.Fate.WELL);
    }

    /** Submits the kernel of {@code job}, of the trial {@code key}: as it is, or in some place where it may be. */
    static Task<?> submit(
            Kernel kernel, int key, Job job, Session session, TaskBuilder task, World world, boolean hasDevices) {
        if (!has(job)) {
            return task.run(kernel, key, job.id());
        }
        int choice = job.id() / 100 + job.id();
        MacroTask<Integer> macro = MacroTask.of(1)
                .kernel(kernel, key, job.id())
                .pipeline(PipelineDriver.streams(1 + choice % STREAMS))
                .forkJoin(DRIVERS.get(choice / 2 % DRIVERS.size()))
                .where(where(job, choice, hasDevices));
        for (Touch touch : job.touches()) {
            View view = world.view(touch);
            macro = switch (touch.how()) {
                case READ -> macro.reads(any -> view);
                case UPDATE -> macro.updates(any -> view);
                default -> macro.writes(any -> view);
            };
        }
        return macro.submit(session, task).task();
    }

    private static Where where(Job job, int choice, boolean hasDevices) {
        if (!hasDevices) {
            return Where.HOST;
        }
        return job.where().target() == Job.Where.DEVICES ? Where.DEVICES : PLACES.get(choice % PLACES.size());
    }
}
