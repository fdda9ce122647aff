package dev.jacquard.flow.runtime;

import dev.jacquard.flow.runtime.RunPlan.StagePlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Finds the stages with items that may still ask each memory edge, and gives stages and pools their places and lines.
 *
 * <p>Threads: confined to the thread that starts the run.
 */
final class Placing {
    private final RunPlan plan;
    private final List<StageSetup> setups;
    private final List<Pool> pools;
    /** Per stage: the stages that it sends to. */
    private final int[][] consumers;
    /** Per stage: the number of its circle, or a separate number. */
    private final int[] circle;
    /** Per stage: the largest number of circles, and stages outside of circles, above it. */
    private final int[] depth;
    /** Per stage: true if its items may hold buffers when they arrive. */
    private final boolean[] behindTaker;
    /** Per pool, per stage: true if the stage takes from the pool, or its items lead to a stage that does. */
    private final boolean[][] asking;

    Placing(RunPlan plan, List<StageSetup> setups, List<Pool> pools) {
        this.plan = plan;
        this.setups = setups;
        this.pools = pools;
        int count = setups.size();
        this.consumers = new int[count][];
        for (int i = 0; i < count; i++) {
            consumers[i] = stagesOf(StagePlan.consumers(plan.stages().get(i).outlets()));
        }
        this.circle = new int[count];
        this.depth = new int[count];
        this.behindTaker = new boolean[count];
        for (int i = 0; i < count; i++) {
            circle[i] = plan.cycles().size() + i;
        }
        for (int i = 0; i < plan.cycles().size(); i++) {
            for (int member : plan.cycles().get(i)) {
                circle[member] = i;
            }
        }
        this.asking = new boolean[pools.size()][];
        for (int pool = 0; pool < asking.length; pool++) {
            asking[pool] = asking(pool);
        }
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
        boolean[] any = new boolean[setups.size()];
        for (boolean[] asks : asking) {
            for (int i = 0; i < any.length; i++) {
                any[i] |= asks[i];
            }
        }
        findReleasing();
        findDepths();
        findBehindTakers();
        for (int i = 0; i < any.length; i++) {
            if (any[i]) {
                place(i, any);
            }
        }
    }

    /** Gives stages that drop items the pools that these items' buffers go back to. */
    private void findReleasing() {
        for (int pool = 0; pool < pools.size(); pool++) {
            int number = pool;
            boolean[] release = reaching(stage -> releases(plan.stages().get(stage), number));
            for (int i = 0; i < release.length; i++) {
                if (release[i] && setups.get(i).plan.options().onError() != null) {
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

    /** Returns, per stage, true if the stage takes from the pool, or its items lead to a stage that does. */
    private boolean[] asking(int pool) {
        return reaching(stage -> plan.stages().get(stage).memory().needs().containsKey(pool));
    }

    /** Returns, per stage, true if the stage is one of {@code which}, or its items lead to one. */
    private boolean[] reaching(IntPredicate which) {
        boolean[] asks = new boolean[setups.size()];
        for (int i = 0; i < asks.length; i++) {
            asks[i] = which.test(i);
        }
        boolean again = true;
        while (again) {
            again = false;
            for (int i = asks.length - 1; i >= 0; i--) {
                if (!asks[i] && leadsTo(i, asks)) {
                    asks[i] = true;
                    again = true;
                }
            }
        }
        return asks;
    }

    private boolean leadsTo(int stage, boolean[] which) {
        for (int to : consumers[stage]) {
            if (which[to]) {
                return true;
            }
        }
        return false;
    }

    /** Finds the longest paths through the graph of circles, which has no circle itself. */
    private void findDepths() {
        boolean again = true;
        while (again) {
            again = false;
            for (int i = 0; i < depth.length; i++) {
                for (int to : consumers[i]) {
                    int least = depth[i] + (circle[i] == circle[to] ? 0 : 1);
                    again |= depth[to] < least;
                    depth[to] = Math.max(depth[to], least);
                }
            }
        }
    }

    private void findBehindTakers() {
        boolean again = true;
        while (again) {
            again = false;
            for (int i = 0; i < behindTaker.length; i++) {
                for (int to : consumers[i]) {
                    boolean holds = behindTaker[i] || setups.get(i).takes();
                    again |= holds && !behindTaker[to];
                    behindTaker[to] |= holds;
                }
            }
        }
    }

    private void place(int number, boolean[] any) {
        StageSetup setup = setups.get(number);
        if (!setup.takes() && setup.plan.options().is(StagePlan.Trait.START)) {
            return; // a start task here holds no buffers: its items come from outside
        }
        setup.here = new TicketSet(setup.plan.name(), 2 * depth[number]);
        setup.isFirstTaker = !behindTaker[number];
        if (setup.takes() && leadsTo(number, any)) {
            boolean round = circle[number] < plan.cycles().size();
            setup.past = new TicketSet(setup.plan.name(), 2 * depth[number] + (round ? 0 : 1));
        }
    }

    private void connect(List<Stage> stages, int number) {
        Pool pool = pools.get(number);
        List<TicketSet> before = new ArrayList<>();
        List<Line> takers = new ArrayList<>();
        before.add(pool.outside);
        for (int i = 0; i < stages.size(); i++) {
            StageSetup setup = setups.get(i);
            if (asking[number][i] && setup.here != null) {
                before.add(setup.here);
            }
            if (setup.past != null && leadsTo(i, asking[number])) {
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
