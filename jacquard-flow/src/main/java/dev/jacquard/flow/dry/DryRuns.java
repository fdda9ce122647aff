package dev.jacquard.flow.dry;

import dev.jacquard.flow.dry.Rehearsal.Outcome;
import dev.jacquard.flow.dry.Travelling.Worked;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.proof.DryRun;
import dev.jacquard.flow.runtime.RunPlan;
import dev.jacquard.flow.task.Body;
import dev.jacquard.memory.data.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the smallest pools, the peaks and the times of a plan by passes of a dry run.
 *
 * <p>Threads: confined to the thread of the dry run.
 */
public final class DryRuns {
    /**
     * The parts of a task that a dry run has in place of the body.
     *
     * @param body maps an item to the items that go out, takes and releases; without data
     * @param nanos the time that an item takes
     */
    public record DryStage(Body<Object, Object> body, ToLongFunction<Object> nanos) {}

    private static final int PLENTY = 1 << 24;

    private final Supplier<RunPlan> plans;
    private final List<@Nullable DryStage> dry;
    private final List<?> items;

    /**
     * Prepares a dry run.
     *
     * @param plans returns the plan, with new rules for each pass; its bodies are not used
     * @param dry per stage, the map in place of the body; null for a bookkeeper
     * @param items the items that are sent
     */
    public DryRuns(Supplier<RunPlan> plans, List<@Nullable DryStage> dry, List<?> items) {
        this.plans = plans;
        this.dry = dry;
        this.items = items;
    }

    /** Runs all passes. */
    public DryRun run(int workers) {
        RunPlan plan = plans.get();
        int[] sizes = plan.pools().stream().mapToInt(pool -> pool.edge().size()).toArray();
        int[] plenty = new int[sizes.length];
        Arrays.fill(plenty, PLENTY);
        Outcome first = pass(plenty, 1, true);
        int[] smallest = smallest(first);
        Outcome all = pass(sizes, workers, false);
        Outcome critical = pass(plenty, 0, false);
        Worked last = critical.last();
        List<DryRun.Memory> memories = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            MemoryEdge<?> edge = plan.pools().get(i).edge();
            Layout layout = edge.layout();
            long bytes = plan.pools().get(i).isBound() ? 0 : layout == null ? -1 : layout.bytes() * first.peaks()[i];
            RunPlan.PoolPlan pool = plan.pools().get(i);
            memories.add(
                    new DryRun.Memory(pool.name(), sizes[i], first.peaks()[i], smallest[i], bytes, pool.isBound()));
        }
        DryRun.Time time = new DryRun.Time(
                workers, all.ended() ? all.nanos() : -1, critical.nanos(), last == null ? List.of() : last.path());
        return new DryRun(
                plan.graph(),
                items.size(),
                first.report().delivered() + first.report().undelivered(),
                memories,
                time,
                first.report().outstanding());
    }

    /** Returns, per pool, the smallest size that works where the others are large enough. */
    private int[] smallest(Outcome first) {
        int[] enough =
                Arrays.stream(first.peaks()).map(peak -> Math.max(1, peak)).toArray();
        for (int i = 0; i < enough.length; i++) {
            int[] tried = enough.clone();
            do {
                enough[i] = tried[i];
                tried[i]--;
            } while (tried[i] > 0 && pass(tried, 1, true).ended());
        }
        return enough;
    }

    private Outcome pass(int[] sizes, int workers, boolean oneByOne) {
        return new Rehearsal(plans.get(), dry, sizes, workers).run(items, oneByOne);
    }
}
