package dev.jacquard.flow.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the stages whose items may still ask each memory edge, and gives stages and pools their places and lines.
 *
 * <p>Threads: confined to the thread that starts the run.
 */
final class Placing {
    private final RunPlan plan;
    private final List<Stage> stages;
    private final List<Pool> pools;
    /** Per stage: the number of its circle, or a number of its own. */
    private final int[] circle;
    /** Per stage: the largest number of circles, and stages outside of circles, above it. */
    private final int[] depth;
    /** Per stage: true if its items may hold buffers when they arrive. */
    private final boolean[] behindTaker;
    /** Per stage: the place of its items that have their buffers; null if these are of no interest. */
    private final @Nullable Place[] past;

    Placing(RunPlan plan, List<Stage> stages, List<Pool> pools) {
        this.plan = plan;
        this.stages = stages;
        this.pools = pools;
        int count = stages.size();
        this.circle = new int[count];
        this.depth = new int[count];
        this.past = new @Nullable Place[count];
        this.behindTaker = new boolean[count];
        for (int i = 0; i < count; i++) {
            circle[i] = plan.cycles().size() + i;
        }
        for (int i = 0; i < plan.cycles().size(); i++) {
            for (int member : plan.cycles().get(i)) {
                circle[member] = i;
            }
        }
    }

    void place() {
        boolean[][] asking = new boolean[pools.size()][];
        boolean[] any = new boolean[stages.size()];
        for (int pool = 0; pool < pools.size(); pool++) {
            asking[pool] = asking(pool);
            for (int i = 0; i < any.length; i++) {
                any[i] |= asking[pool][i];
            }
        }
        findDepths();
        findBehindTakers();
        for (int i = 0; i < any.length; i++) {
            if (any[i]) {
                place(i, any);
            }
        }
        for (int pool = 0; pool < pools.size(); pool++) {
            tell(pool, asking[pool]);
        }
    }

    /** Returns, per stage, true if the stage takes from the pool, or its items lead to a stage that does. */
    private boolean[] asking(int pool) {
        boolean[] asks = new boolean[stages.size()];
        for (int i = 0; i < asks.length; i++) {
            asks[i] = plan.stages().get(i).memory().needs().containsKey(pool);
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
        return plan.stages().get(stage).outlets().stream()
                .flatMapToInt(Arrays::stream)
                .anyMatch(to -> to != RunPlan.OUTPUT && which[to]);
    }

    /** Finds the longest paths through the graph of circles, which has no circle itself. */
    private void findDepths() {
        boolean again = true;
        while (again) {
            again = false;
            for (int i = 0; i < depth.length; i++) {
                for (int[] outlet : plan.stages().get(i).outlets()) {
                    for (int to : outlet) {
                        int least = to == RunPlan.OUTPUT ? 0 : depth[i] + (circle[i] == circle[to] ? 0 : 1);
                        if (to != RunPlan.OUTPUT && depth[to] < least) {
                            depth[to] = least;
                            again = true;
                        }
                    }
                }
            }
        }
    }

    private void findBehindTakers() {
        boolean again = true;
        while (again) {
            again = false;
            for (int i = 0; i < behindTaker.length; i++) {
                boolean holds = behindTaker[i] || stages.get(i).needs().length > 0;
                for (int[] outlet : plan.stages().get(i).outlets()) {
                    for (int to : outlet) {
                        if (holds && to != RunPlan.OUTPUT && !behindTaker[to]) {
                            behindTaker[to] = true;
                            again = true;
                        }
                    }
                }
            }
        }
    }

    private void place(int number, boolean[] any) {
        Stage stage = stages.get(number);
        StagePlan planned = plan.stages().get(number);
        Place here = new Place(planned.name(), 2 * depth[number]);
        if (stage.needs().length == 0) {
            if (!planned.options()
                    .is(StagePlan.Trait.START)) { // a start task here holds no buffers: its items come from outside
                stage.place(here);
            }
            return;
        }
        if (leadsTo(number, any)) {
            boolean round = circle[number] < plan.cycles().size();
            past[number] = new Place(planned.name(), 2 * depth[number] + (round ? 0 : 1));
        }
        stage.line(new Line(stage, here, past[number], !behindTaker[number]));
    }

    private void tell(int number, boolean[] asking) {
        Pool pool = pools.get(number);
        List<Place> before = new ArrayList<>();
        List<Line> takers = new ArrayList<>();
        before.add(pool.outside);
        for (int i = 0; i < asking.length; i++) {
            Place here = stages.get(i).here();
            if (asking[i] && here != null) {
                before.add(here);
            }
            Place behind = past[i];
            if (behind != null && leadsTo(i, asking)) {
                before.add(behind);
            }
            Line line = stages.get(i).line();
            if (line != null && plan.stages().get(i).memory().needs().containsKey(number)) {
                takers.add(line);
            }
        }
        pool.before = before.toArray(Place[]::new);
        pool.takers = takers.toArray(Line[]::new);
    }
}
