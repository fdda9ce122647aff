package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.Network.Kind;
import dev.jacquard.flow.liveness.Network.Node;
import dev.jacquard.flow.liveness.NetworkModel.Out;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds how many buffers items carry into each node, and the declarations that are missing or contradict each other.
 *
 * <p>Threads: confined to the thread that creates it.
 */
final class Cargo {
    /** The most different loads that items may bring to one node. */
    private static final int MOST_LOADS = 64;

    private final NetworkModel model;
    /** Per node, the numbers of buffers per pool that an item may carry when it arrives. */
    private final List<Set<List<Integer>>> loads = new ArrayList<>();
    /** The declarations without which nothing can be said. */
    final Set<String> missing = new LinkedHashSet<>();
    /** The numbers of items without which no order of events can be examined. */
    final Set<String> missingItems = new LinkedHashSet<>();
    /** The reasons why a proof for each item alone is none for all of them. */
    final Set<String> mixed = new LinkedHashSet<>();

    Cargo(NetworkModel model) {
        this.model = model;
        for (int i = 0; i < model.outs.length; i++) {
            loads.add(new HashSet<>());
        }
        Deque<Integer> queue = new ArrayDeque<>();
        for (int[] source : model.sources) {
            for (int to : source) {
                add(to, new int[model.pools], queue);
            }
        }
        while (!queue.isEmpty() && missing.isEmpty()) {
            int node = queue.remove();
            for (List<Integer> load : List.copyOf(loads.get(node))) {
                pass(node, load.stream().mapToInt(Integer::intValue).toArray(), queue);
            }
        }
        for (int node = 0; node < model.outs.length; node++) {
            for (Out out : model.outs[node]) {
                if (out.counter() >= 0 && loads.get(node).size() > 1) {
                    mixed.add(named(node) + " collects items that carry different numbers of buffers");
                }
                if (out.counter() >= 0 && out.rates().scope().shared() >= 0 && isLoaded(node)) {
                    missing.add(
                            part(out) + ": a rule per copy; the copies of the pipeline share this one, which collects"
                                    + " items with buffers of several copies");
                }
            }
        }
        model.net.pools().stream()
                .filter(pool -> pool.outside().takes())
                .forEach(pool -> missing.add(
                        "memory edge \"" + pool.name() + "\": code outside of the graph takes buffers (takenOutside)"));
    }

    /** Returns the largest number of buffers of a pool that an item carries into a node. */
    int most(int node, int pool) {
        return loads.get(node).stream().mapToInt(load -> load.get(pool)).max().orElse(0);
    }

    private boolean isLoaded(int node) {
        return loads.get(node).stream().anyMatch(load -> load.stream().anyMatch(count -> count > 0));
    }

    private void add(int node, int[] load, Deque<Integer> queue) {
        int[] needed = load.clone();
        for (int pool = 0; pool < needed.length; pool++) {
            if (load[pool] > 0 && !model.isCarrier(node, pool) && model.most(node, pool) > 0) {
                missing.add(carries(node, pool));
            } else if (model.isCarrier(node, pool)
                    && (load[pool] < model.least(node, pool) || load[pool] > model.most(node, pool))) {
                missing.add(mismatch(node, pool, load[pool]));
            }
            needed[pool] = model.isCarrier(node, pool) ? load[pool] : 0;
        }
        if (loads.get(node).add(Arrays.stream(needed).boxed().toList())) {
            queue.add(node);
            if (loads.get(node).size() > MOST_LOADS) {
                missing.add(named(node) + ": items come around a cycle with more and more buffers; release them in it");
            }
        }
    }

    private void pass(int node, int[] load, Deque<Integer> queue) {
        int[] released = new int[model.pools];
        boolean[] goesOn = new boolean[model.pools]; // or it is unknown whether it does
        int[] inHand = new int[model.pools];
        for (Out out : model.outs[node]) {
            int[] next = new int[model.pools];
            for (int pool = 0; pool < model.pools; pool++) {
                inHand[pool] = out.collects() * load[pool] + model.takes[node][pool];
                int kept = model.kept(out, pool, inHand[pool]);
                next[pool] = model.isShared(out, pool, kept) ? kept / out.most() : kept;
                goesOn[pool] |= kept > 0 || out.releases()[pool] < 0 || model.isReleasedOutside(out, pool);
                released[pool] += Math.max(0, out.releases()[pool]);
                examine(out, pool, inHand[pool], kept);
            }
            if (out.rates().most() < 0 && out.consumers().length > 0) {
                String siblings = out.rates().scope().siblings();
                missingItems.add(
                        siblings.isEmpty()
                                ? part(out) + ": emits(n), the number of items per item"
                                : named(node) + ": the number of items that go along \"" + siblings
                                        + "\" to each of its siblings, which no rate declares");
            }
            for (int to : out.most() == 0 ? new int[0] : out.consumers()) {
                add(to, next, queue);
            }
        }
        for (int pool = 0; pool < model.pools; pool++) {
            if (inHand[pool] > 0 && !goesOn[pool] && released[pool] < inHand[pool] && !model.isBound(pool)) {
                missing.add(named(node) + ": releases("
                        + model.net.pools().get(pool).name() + ", n); its items carry " + inHand[pool]
                        + " buffers, and nothing further down releases them");
            }
        }
    }

    private void examine(Out out, int pool, int inHand, int kept) {
        if (model.isUndecided(out, pool, kept)) {
            Arrays.stream(out.consumers()).forEach(to -> missing.add(carries(to, pool)));
        }
        String edge = model.net.pools().get(pool).name();
        int needed = out.releases()[pool] + model.demand(out, pool);
        if (out.releases()[pool] < 0 && inHand > 0) {
            missing.add(part(out) + ": releases(" + edge + ", n), the number of buffers per item");
        } else if (needed > inHand) {
            missing.add(part(out) + " and its consumers release " + needed + " buffers of memory edge \"" + edge
                    + "\" per item, but its items carry " + inHand);
        }
    }

    private String mismatch(int node, int pool, int load) {
        String edge = model.net.pools().get(pool).name();
        return named(node) + ": releases(" + edge + ", n); items bring " + load
                + (load > model.most(node, pool)
                        ? ", and at most " + model.most(node, pool)
                        : ", and at least " + model.least(node, pool))
                + " of these are released here and further down";
    }

    private String carries(int node, int pool) {
        return named(node) + ": carries(" + model.net.pools().get(pool).name()
                + ", n), the number of buffers that an item brings";
    }

    private String part(Out out) {
        Node node = model.net.nodes().get(out.node());
        if (node.outputs().size() == 1) {
            return node.named();
        }
        return (node.kind() == Kind.BOOKKEEPER ? "rule " : "edge ") + (out.number() + 1) + " of " + node.named();
    }

    private String named(int node) {
        return model.net.nodes().get(node).named();
    }
}
