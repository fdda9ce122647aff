package dev.jacquard.flow.runtime;

import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The stages of a graph with items that may still ask each memory edge, and the depths that order items of one ticket:
 * the part of the order of grants that follows from the graph alone. The proof before the run uses it, too.
 *
 * <p>Threads: confined to the thread that creates it, constant afterwards.
 */
public final class AskingStages {
    /** Per stage: the stages that it sends to. */
    private final int[][] consumers;
    /** Per stage: the pools that it takes from. */
    private final List<Set<Integer>> needs;
    /** The number of circles. */
    private final int circles;
    /** Per stage: the number of its circle, or a separate number. */
    private final int[] circle;
    /** Per stage: the largest number of circles, and stages outside of circles, above it. */
    private final int[] depth;
    /** Per stage: true if its items may hold buffers when they arrive. */
    private final boolean[] behindTaker;
    /** Per pool, per stage: true if the stage takes from the pool, or its items lead to a stage that does. */
    private final boolean[][] asking;
    /** Per stage: true if it asks any pool. */
    private final boolean[] any;

    /**
     * Examines a graph.
     *
     * @param consumers per stage, the stages that it sends to
     * @param circles stages that feed each other in a circle, one list per circle
     * @param needs per stage, the pools that it takes from
     * @param slotsOf per pool, the stage at which items wait that have a slot each, if the pool has the slots of a
     *     bounded edge; else a negative number
     */
    public AskingStages(int[][] consumers, List<List<Integer>> circles, List<Set<Integer>> needs, int[] slotsOf) {
        int count = consumers.length;
        this.consumers = consumers;
        this.needs = needs;
        this.circles = circles.size();
        this.circle = new int[count];
        this.depth = new int[count];
        this.behindTaker = new boolean[count];
        this.any = new boolean[count];
        for (int i = 0; i < count; i++) {
            circle[i] = circles.size() + i;
        }
        for (int i = 0; i < circles.size(); i++) {
            for (int member : circles.get(i)) {
                circle[member] = i;
            }
        }
        this.asking = new boolean[slotsOf.length][];
        for (int pool = 0; pool < asking.length; pool++) {
            int number = pool;
            asking[pool] = reaching(stage -> needs.get(stage).contains(number));
            for (int i = 0; i < count; i++) {
                any[i] |= asking[pool][i];
            }
        }
        findDepths();
        findBehindTakers(slotsOf);
    }

    /** Returns true if the stage takes from {@code pool}, or its items lead to a stage that does. */
    public boolean asks(int pool, int stage) {
        return asking[pool][stage];
    }

    /** Returns true if the stage takes from any pool, or its items lead to a stage that does. */
    public boolean asksAny(int stage) {
        return any[stage];
    }

    /** Returns true if the items that the stage emits lead to a stage that takes from {@code pool}. */
    public boolean leadsTo(int pool, int stage) {
        return leadsTo(stage, asking[pool]);
    }

    /** Returns true if the items that the stage emits lead to a stage that takes buffers. */
    public boolean leadsToAny(int stage) {
        return leadsTo(stage, any);
    }

    /**
     * Returns true if no stage before this one takes buffers. Slots do not count, unless the bounded edge is part of a
     * circle: no item further down waits for a slot that an item here has.
     */
    public boolean isFirst(int stage) {
        return !behindTaker[stage];
    }

    /** Returns the depth of the items that have arrived at the stage: see {@link Line}. */
    public int depthHere(int stage) {
        return 2 * depth[stage];
    }

    /** Returns the depth of the items of the stage that have their buffers. */
    public int depthPast(int stage) {
        return 2 * depth[stage] + (circle[stage] < circles ? 0 : 1);
    }

    /** Returns, per stage, true if the stage is one of {@code which}, or its items lead to one. */
    boolean[] reaching(IntPredicate which) {
        boolean[] reach = new boolean[consumers.length];
        for (int i = 0; i < reach.length; i++) {
            reach[i] = which.test(i);
        }
        boolean again = true;
        while (again) {
            again = false;
            for (int i = reach.length - 1; i >= 0; i--) {
                if (!reach[i] && leadsTo(i, reach)) {
                    reach[i] = true;
                    again = true;
                }
            }
        }
        return reach;
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

    private void findBehindTakers(int[] slotsOf) {
        boolean[] isTaker = new boolean[behindTaker.length];
        for (int i = 0; i < isTaker.length; i++) {
            isTaker[i] = needs.get(i).stream().anyMatch(pool -> slotsOf[pool] < 0 || asks(pool, slotsOf[pool]));
        }
        boolean again = true;
        while (again) {
            again = false;
            for (int i = 0; i < behindTaker.length; i++) {
                for (int to : consumers[i]) {
                    boolean holds = behindTaker[i] || isTaker[i];
                    again |= holds && !behindTaker[to];
                    behindTaker[to] |= holds;
                }
            }
        }
    }
}
