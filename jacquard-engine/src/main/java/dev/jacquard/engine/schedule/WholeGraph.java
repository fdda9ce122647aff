package dev.jacquard.engine.schedule;

import dev.jacquard.engine.plan.GraphPlacement;
import dev.jacquard.engine.work.ReadyTask;
import java.util.Set;

/**
 * Places the tasks of a graph that is known before it runs; of a graph that is not, the tasks run in the order of
 * {@link Priority}, and kernels go to the device where they end first ({@link EarliestFinish}).
 *
 * @param name for users
 * @param graphPlacement plans whole graphs
 */
record WholeGraph(String name, GraphPlacement graphPlacement) implements Policy {
    private static final Priority TASK_BY_TASK = new Priority();

    @Override
    public Set<Need> needs() {
        return TASK_BY_TASK.needs();
    }

    @Override
    public ReadyOrder order() {
        return TASK_BY_TASK.order();
    }

    @Override
    public long rank(ReadyTask task) {
        return TASK_BY_TASK.rank(task);
    }
}
