package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.NetworkModel.Out;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pools of a network in groups that can be proved one by one: the pools of one copy of a pipeline, say. Two pools
 * are in one group if
 *
 * <ul>
 *   <li>one task takes from both,
 *   <li>items carry buffers of one to a task that takes from the other, or have slots of one while they wait there,
 *   <li>a rule collects items that carry buffers of one, and a task that takes from the other leads to that rule, or
 *   <li>tasks that take from one lead to tasks that take from the other, and the other way around, also by way of
 *       further groups.
 * </ul>
 *
 * <p>Why that is enough: suppose that nothing moves, and take the smallest ticket of all items that wait. By the last
 * condition, there is a group U with such items into which no other group leads that has some. Its items of this ticket
 * lack buffers of U, or are blocked by each other: only items that may still ask the pools of U block them. No item
 * that waits for other groups holds these buffers (second condition), or completes a rule that does (third condition).
 * Items with a larger ticket hold none of the buffers that these items lack, see the section on buffers of
 * {@code flow.runtime}. So the items of U alone, with all others worked through, stand still in the order of one item
 * from outside after the other: the search on U finds that.
 *
 * <p>For a pipeline: each copy has its own pools, a distributor holds no buffers, and the search lets it send an item
 * to any copies that its kind allows. Copies are in one group where an item carries a buffer of an outer pool to tasks
 * of copies that take, or where edges between siblings lead from copy to copy.
 *
 * <p>Threads: confined to the thread that proves.
 */
final class Groups {
    private final NetworkModel model;
    /** Per pool, another pool of its group, or itself. */
    private final int[] parent;

    private Groups(NetworkModel model) {
        this.model = model;
        this.parent = new int[model.pools];
        Arrays.setAll(parent, pool -> pool);
    }

    /** Returns the pools of each group, in the order of the pools. */
    static List<int[]> of(NetworkModel model, Cargo cargo) {
        Groups groups = new Groups(model);
        groups.joinTakenTogether(cargo);
        groups.joinCollected(cargo);
        groups.joinCircles();
        Map<Integer, List<Integer>> byRoot = new TreeMap<>();
        for (int pool = 0; pool < model.pools; pool++) {
            byRoot.computeIfAbsent(groups.root(pool), root -> new ArrayList<>()).add(pool);
        }
        return byRoot.values().stream()
                .map(pools -> pools.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    private int root(int pool) {
        int at = pool;
        while (parent[at] != at) {
            at = parent[at];
        }
        return at;
    }

    private void join(int one, int other) {
        int a = root(one);
        int b = root(other);
        parent[Math.max(a, b)] = Math.min(a, b);
    }

    private void joinTakenTogether(Cargo cargo) {
        for (int node = 0; node < model.outs.length; node++) {
            for (int pool = 0; pool < model.pools; pool++) {
                if (model.isTaker(node) && holds(node, pool, cargo)) {
                    join(pool, someTaken(node));
                }
            }
        }
    }

    /** Returns true if items that wait at the node for buffers may have, or ask for, some of the pool. */
    private boolean holds(int node, int pool, Cargo cargo) {
        return model.takes[node][pool] > 0
                || cargo.most(node, pool) > 0
                || model.net.pools().get(pool).consumer() == node;
    }

    private int someTaken(int node) {
        return model.net.nodes().get(node).takes().keySet().iterator().next();
    }

    private void joinCollected(Cargo cargo) {
        for (Out[] outs : model.outs) {
            for (Out out : outs) {
                for (int pool = 0; pool < model.pools; pool++) {
                    if (out.counter() >= 0 && cargo.most(out.node(), pool) > 0) {
                        joinTakersBefore(out.node(), pool);
                    }
                }
            }
        }
    }

    private void joinTakersBefore(int rule, int pool) {
        boolean[] leads = new boolean[model.outs.length];
        leads[rule] = true;
        boolean again = true;
        while (again) {
            again = false;
            for (int node = leads.length - 1; node >= 0; node--) {
                if (!leads[node] && leadsTo(node, leads)) {
                    leads[node] = true;
                    again = true;
                }
            }
        }
        for (int node = 0; node < leads.length; node++) {
            if (leads[node] && node != rule && model.isTaker(node)) {
                join(pool, someTaken(node));
            }
        }
    }

    private boolean leadsTo(int node, boolean[] which) {
        for (Out out : model.outs[node]) {
            for (int to : out.consumers()) {
                if (which[to]) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Joins groups that lead to each other. */
    private void joinCircles() {
        boolean[][] leads = new boolean[model.pools][model.pools];
        for (int node = 0; node < model.outs.length; node++) {
            if (model.isTaker(node)) {
                int from = root(someTaken(node));
                for (int pool = 0; pool < model.pools; pool++) {
                    leads[from][root(pool)] |= model.asking.leadsTo(pool, node);
                }
            }
        }
        for (int from = 0; from < model.pools; from++) {
            boolean[] reached = reached(from, leads);
            for (int to = 0; to < from; to++) {
                if (reached[to] && reached(to, leads)[from]) {
                    join(from, to);
                }
            }
        }
    }

    private static boolean[] reached(int from, boolean[][] leads) {
        boolean[] reached = leads[from].clone();
        boolean again = true;
        while (again) {
            again = false;
            for (int at = 0; at < reached.length; at++) {
                for (int to = 0; reached[at] && to < reached.length; to++) {
                    again |= leads[at][to] && !reached[to];
                    reached[to] |= leads[at][to];
                }
            }
        }
        return reached;
    }
}
