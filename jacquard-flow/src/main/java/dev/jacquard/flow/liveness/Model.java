package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.Network.Kind;
import dev.jacquard.flow.liveness.Network.Node;
import dev.jacquard.flow.liveness.Network.Output;
import dev.jacquard.flow.runtime.Asking;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The tables that the analysis of a network works with: who asks which pool, and which buffers travel along which edge.
 *
 * <p>A buffer travels in the item of the task that took it, and in all items that come of that item, up to the tasks
 * that release it; it is free once the last item that carries it has released it. The buffers that a task does not
 * release go out with each item that it emits; or, if their number is what all of these items need together, a share
 * with each.
 *
 * <p>Threads: immutable once created.
 */
final class Model {
    final Network net;
    final int pools;
    final Asking asking;
    /** Per node and pool, the number of buffers that an item takes. */
    final int[][] takes;
    /** Per node, its outputs. */
    final Out[][] outs;
    /** The number of outputs that collect several items. */
    final int counters;
    /** The nodes that each kind of item from outside goes to. */
    final List<int[]> sources = new ArrayList<>();
    /** Per node, true if an item there asks for no buffer, and no rule that it leads to collects items. */
    private final boolean[] quiet;
    /** Per node and pool, the least number of buffers that the releases of an item there, and further down, need. */
    private final int[][] demand;

    /** An output with the consumers that matter. */
    record Out(int node, int number, Output rates, int[] releases, int[] consumers, int counter) {
        int collects() {
            return rates.collects();
        }

        int least() {
            return Math.max(0, rates.least());
        }

        /** Returns the largest number of items that go out; an unknown number counts as one. */
        int most() {
            return rates.most() < 0 ? 1 : rates.most();
        }
    }

    Model(Network net) {
        this.net = net;
        this.pools = net.pools().size();
        int count = net.nodes().size();
        this.asking = new Asking(
                net.nodes().stream().map(Model::consumersOf).toArray(int[][]::new),
                net.circles(),
                net.nodes().stream().map(node -> node.takes().keySet()).toList(),
                pools);
        this.takes = new int[count][pools];
        this.demand = new int[count][pools];
        for (int i = 0; i < count; i++) {
            int at = i;
            net.nodes().get(i).takes().forEach((pool, number) -> takes[at][pool] = number);
        }
        findDemands();
        this.outs = new Out[count][];
        int next = 0;
        for (int i = 0; i < count; i++) {
            Node node = net.nodes().get(i);
            outs[i] = new Out[node.outputs().size()];
            for (int j = 0; j < outs[i].length; j++) {
                Output output = node.outputs().get(j);
                int[] consumers =
                        Arrays.stream(output.consumers()).filter(this::matters).toArray();
                outs[i][j] = new Out(i, j, output, releasesOf(output), consumers, output.collects() > 1 ? next++ : -1);
            }
        }
        this.counters = next;
        this.quiet = new boolean[count];
        findQuiet();
        addSource(net.inputs());
        for (int i = 0; i < count; i++) {
            if (net.nodes().get(i).kind() == Kind.START) {
                addSource(
                        isTaker(i)
                                ? new int[] {i}
                                : net.nodes().get(i).outputs().getFirst().consumers());
            }
        }
    }

    private void addSource(int[] nodes) {
        int[] those = Arrays.stream(nodes).filter(this::matters).toArray();
        if (those.length > 0) {
            sources.add(those);
        }
    }

    private void findQuiet() {
        Arrays.fill(quiet, true);
        boolean again = true;
        while (again) {
            again = false;
            for (int i = quiet.length - 1; i >= 0; i--) {
                boolean its = !asking.asksAny(i)
                        && Arrays.stream(outs[i])
                                .allMatch(out -> out.counter() < 0
                                        && Arrays.stream(out.consumers()).allMatch(to -> quiet[to]));
                again |= its != quiet[i];
                quiet[i] = its;
            }
        }
    }

    private static int[] consumersOf(Node node) {
        return node.outputs().stream()
                .flatMapToInt(output -> Arrays.stream(output.consumers()))
                .filter(to -> to >= 0)
                .toArray();
    }

    private int[] releasesOf(Output output) {
        int[] releases = new int[pools];
        output.releases().forEach((pool, number) -> releases[pool] = number);
        return releases;
    }

    private void findDemands() {
        boolean again = true;
        while (again) {
            again = false;
            for (int i = demand.length - 1; i >= 0; i--) {
                for (int pool = 0; pool < pools; pool++) {
                    int its = demandOf(i, pool);
                    again |= its > demand[i][pool];
                    demand[i][pool] = Math.max(its, demand[i][pool]);
                }
            }
        }
    }

    private int demandOf(int node, int pool) {
        int most = 0;
        for (Output output : net.nodes().get(node).outputs()) {
            int needed = Math.abs(output.releases().getOrDefault(pool, 0)) + demand(output.consumers(), pool);
            most = Math.max(most, -Math.floorDiv(-needed, output.collects()));
        }
        return Math.max(0, most - takes[node][pool]);
    }

    /** Returns the number of buffers that each item on its way to {@code consumers} must carry at least. */
    private int demand(int[] consumers, int pool) {
        int most = 0;
        for (int to : consumers) {
            if (to >= 0) {
                most = Math.max(most, demand[to][pool]);
            } else if (to == Network.OUTPUT && net.pools().get(pool).outside().releases()) {
                most = Math.max(most, 1);
            }
        }
        return most;
    }

    /** Returns the number of buffers that an item that goes out must carry at least. */
    int demand(Out out, int pool) {
        return demand(out.rates().consumers(), pool);
    }

    /** Returns true if items at the node carry buffers, or may ask for some. */
    private boolean matters(int node) {
        return node >= 0 && (asking.asksAny(node) || Arrays.stream(demand[node]).anyMatch(number -> number > 0));
    }

    /** Returns true if an item that arrives at {@code node} needs the buffers that it carries. */
    boolean isCarrier(int node, int pool) {
        return demand[node][pool] > 0;
    }

    boolean isTaker(int node) {
        return !net.nodes().get(node).takes().isEmpty();
    }

    /** Returns the number of buffers that go on, of {@code inHand} buffers of a pool. */
    int kept(Out out, int pool, int inHand) {
        return demand(out, pool) == 0 ? 0 : Math.max(0, inHand - Math.max(0, out.releases()[pool]));
    }

    /** Returns true if each item that goes out carries a share of the {@code kept} buffers; else each carries all. */
    boolean isShared(Out out, int pool, int kept) {
        int needed = demand(out, pool);
        return out.most() > 1 && kept > needed && kept == needed * out.most();
    }

    /** Returns true if an item that arrives at the node can only release buffers, and nothing collects it. */
    boolean isQuiet(int node) {
        return quiet[node];
    }

    /** Returns the name of a node. */
    String name(int node) {
        return net.nodes().get(node).name();
    }
}
