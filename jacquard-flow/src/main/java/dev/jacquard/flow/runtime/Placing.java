package dev.jacquard.flow.runtime;

import dev.jacquard.flow.runtime.RunPlan.PoolPlan;
import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gives stages and pools their places and lines: see {@link AskingStages} for the stages with items that may still ask.
 *
 * <p>Threads: confined to the thread that starts the run.
 */
final class Placing {
    private final RunPlan plan;
    private final List<StageSetup> setups;
    private final List<Pool> pools;
    private final AskingStages asking;

    Placing(RunPlan plan, List<StageSetup> setups, List<Pool> pools) {
        this.plan = plan;
        this.setups = setups;
        this.pools = pools;
        int[][] consumers = new int[setups.size()][];
        for (int i = 0; i < consumers.length; i++) {
            consumers[i] = stagesOf(StagePlan.consumers(plan.stages().get(i).outlets()));
        }
        this.asking = new AskingStages(
                consumers,
                plan.cycles(),
                plan.stages().stream()
                        .map(stage -> stage.memory().needs().keySet())
                        .toList(),
                plan.pools().stream().mapToInt(PoolPlan::consumer).toArray());
    }

    /** Returns the stages among {@code consumers}, which it overwrites. */
    private static int[] stagesOf(int[] consumers) {
        int count = 0;
        for (int to : consumers) {
            if (to >= 0) {
                consumers[count++] = to;
            }
        }
        return Arrays.copyOf(consumers, count);
    }

    /** Gives stages their places. */
    void place() {
        for (int i = 0; i < setups.size(); i++) {
            if (asking.asksAny(i)) {
                place(i);
            }
        }
        findReleasing();
        findOvertaking();
    }

    /**
     * Gives stages with an order the tickets of items that overtake: items that hold nothing yet, and may ask again.
     * The signals of a start task have none, since there are the tickets of its items.
     */
    private void findOvertaking() {
        List<StageSetup> overtaking = setups.stream()
                .filter(setup -> setup.plan.options().order() != null
                        && setup.isFirstTaker
                        && setup.past != null
                        && !setup.plan.options().is(StagePlan.Trait.START))
                .toList();
        for (int i = 0; i < overtaking.size(); i++) {
            StageSetup setup = overtaking.get(i);
            int number = setups.indexOf(setup);
            Pool[] asked = pools.stream()
                    .filter(pool -> asking.asks(pool.number, number))
                    .toArray(Pool[]::new);
            setup.overtaking = new Overtaking(asked, i, overtaking.size());
        }
    }

    /** Gives stages that drop items the pools that these items' buffers go back to. */
    private void findReleasing() {
        for (int pool = 0; pool < pools.size(); pool++) {
            int number = pool;
            boolean[] release = asking.reaching(stage -> releases(plan.stages().get(stage), number));
            for (int i = 0; i < release.length; i++) {
                StagePlan.Options options = setups.get(i).plan.options();
                if (release[i] && (options.onError() != null || options.queue() != null)) {
                    setups.get(i).releasing.add(pools.get(pool));
                }
            }
        }
    }

    /** Returns true if the stage releases into the pool, or sends items to the user, who does. */
    private boolean releases(StagePlan stage, int pool) {
        return stage.memory().releases().contains(pool)
                || (plan.pools().get(pool).edge().isReleasedOutside()
                        && Arrays.stream(StagePlan.consumers(stage.outlets())).anyMatch(to -> to == RunPlan.OUTPUT));
    }

    /** Gives pools the places before them, and the lines of {@code stages}. */
    void connect(List<Stage> stages) {
        for (int pool = 0; pool < pools.size(); pool++) {
            connect(stages, pool);
        }
    }

    private void place(int number) {
        StageSetup setup = setups.get(number);
        if (!setup.takes() && setup.plan.options().is(StagePlan.Trait.START)) {
            return; // a start task here holds no buffers: its items come from outside
        }
        setup.here = new TicketSet(setup.plan.name(), asking.depthHere(number));
        setup.isFirstTaker = asking.isFirst(number);
        if (setup.takes() && asking.leadsToAny(number)) {
            setup.past = new TicketSet(setup.plan.name(), asking.depthPast(number));
        }
    }

    private void connect(List<Stage> stages, int number) {
        Pool pool = pools.get(number);
        List<TicketSet> before = new ArrayList<>();
        List<Line> takers = new ArrayList<>();
        before.add(pool.outside);
        for (int i = 0; i < stages.size(); i++) {
            StageSetup setup = setups.get(i);
            if (setup.here != null && asking.asks(number, i)) {
                before.add(setup.here);
            }
            if (setup.past != null && asking.leadsTo(number, i)) {
                before.add(setup.past);
            }
            Line line = stages.get(i).line;
            if (line != null && plan.stages().get(i).memory().needs().containsKey(number)) {
                takers.add(line);
            }
        }
        pool.before = before.toArray(TicketSet[]::new);
        pool.takers = takers.toArray(Request[]::new);
    }
}
