package dev.jacquard.core.testing.random;

import dev.jacquard.engine.schedule.Need;
import dev.jacquard.engine.schedule.Placement;
import dev.jacquard.engine.schedule.Policy;
import dev.jacquard.engine.schedule.ReadyOrder;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.engine.work.ReadyTask.Edges;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Schedules as another policy does, and has tasks wait for some of those that it was told of last, whatever they are:
 * of this graph or the other one, sub-tasks, prefetches. For one session. Threads: any.
 */
final class EdgesPolicy implements Policy {
    /** How many of the last tasks are kept. */
    private static final int KEPT = 8;
    /** A task waits for each of them with a chance of 1 to this. */
    private static final int ODDS = 12;
    /** The number of a job at the top is a multiple of it. */
    private static final int TOP = 100;

    private final Policy policy;
    private final long seed;
    private final Log log;
    /** Guarded by this. */
    private final List<ReadyTask> last = new ArrayList<>();

    EdgesPolicy(Policy policy, long seed, Log log) {
        this.policy = policy;
        this.seed = seed;
        this.log = log;
    }

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public Set<Need> needs() {
        Set<Need> needs = EnumSet.of(Need.SUBMISSIONS);
        needs.addAll(policy.needs());
        return needs;
    }

    @Override
    public @Nullable ReadyOrder order() {
        return policy.order();
    }

    @Override
    public @Nullable Placement placement() {
        return policy.placement();
    }

    @Override
    public long rank(ReadyTask task) {
        return policy.rank(task);
    }

    @Override
    public void submitted(ReadyTask task, Edges edges) {
        List<ReadyTask> earlier = earlier(task);
        if (isTop(task.name())) {
            log.edges(
                    task.name(),
                    earlier.stream()
                            .map(ReadyTask::name)
                            .filter(EdgesPolicy::isTop)
                            .toList());
        }
        earlier.forEach(edges::after);
        policy.submitted(task, edges);
    }

    /** Returns true of a task at the top. Sub-tasks do not wait for others' tasks: such edges are left out. */
    private static boolean isTop(String name) {
        return name.matches("t[0-9]+") && Integer.parseInt(name.substring(1)) % TOP == 0;
    }

    /** Threads submit side by side, so that the policy may have been told of later ones before. */
    private synchronized List<ReadyTask> earlier(ReadyTask task) {
        Dice dice = new Dice(seed ^ task.name().hashCode(), Set.of(), Set.of());
        List<ReadyTask> earlier = new ArrayList<>();
        for (ReadyTask each : last) {
            if (each.id() < task.id() && dice.below(ODDS) == 0) {
                earlier.add(each);
            }
        }
        last.add(task);
        if (last.size() > KEPT) {
            last.removeFirst();
        }
        return earlier;
    }
}
