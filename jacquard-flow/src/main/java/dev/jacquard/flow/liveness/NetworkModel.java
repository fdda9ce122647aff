package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.Network.Kind;
import dev.jacquard.flow.liveness.Network.Node;
import dev.jacquard.flow.liveness.Network.Output;
import dev.jacquard.flow.liveness.Network.PoolSize;
import dev.jacquard.flow.runtime.AskingStages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tables that the analysis of a network works with: who asks which pool, and which buffers travel along which edge.
 *
 * <p>A buffer travels in the item of the task that took it, and in all items that come of that item, up to the tasks
 * that release it; it is free once the last item that carries it has released it. The buffers that a task does not
 * release go out with each item that it emits; or a share of them with each, if that is what the releases further down
 * need. Where the rates fit both, the network must say how many buffers items carry.
 *
 * <p>Threads: immutable once created.
 */
final class NetworkModel {
    /** More buffers than an item carries. */
    private static final int MANY = 1 << 12;

    final Network net;
    final int pools;
    final AskingStages asking;
    /** Per node, true if no node before it takes buffers, also of pools that the model leaves out. */
    private final boolean[] first;
    /** Per node and pool, the number of buffers that an item takes. */
    final int[][] takes;
    /** Per node and pool, the largest number of bytes of these buffers; 0 where the pool counts none. */
    final long[][] takenBytes;
    /** Per node, its outputs. */
    final Out[][] outs;
    /** The number of rules that collect several items. */
    final int counters;
    /** Per node, the number of the distributor; -1 if it is none. */
    final int[] distributors;
    /** The nodes that each kind of item from outside goes to. */
    final List<int[]> sources = new ArrayList<>();
    /** The nodes that items go to which are sent into the graph. */
    final int[] inputs;
    /** Per node, true if an item there asks for no buffer, and no rule that it leads to collects items. */
    private final boolean[] quiet;
    /**
     * Per node and pool, the least number of buffers that an item must carry for the releases there and further down.
     */
    private final int[][] least;
    /** The same if each task further down that emits several items gives each of them a share. */
    private final int[][] most;

    /** An output with the consumers that matter. */
    record Out(int node, int number, Output rates, int[] releases, int[] consumers, int[] slots, int counter) {
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

    NetworkModel(Network net) {
        this(net, null);
    }

    /** Returns the model of those parts of the network that items with, or for, buffers of some pools pass. */
    NetworkModel only(int[] which) {
        return new NetworkModel(net.only(which), first);
    }

    private NetworkModel(Network net, boolean @Nullable [] first) {
        this.net = net;
        this.pools = net.pools().size();
        int count = net.nodes().size();
        this.asking = new AskingStages(
                net.nodes().stream().map(NetworkModel::consumersOf).toArray(int[][]::new),
                net.circles(),
                net.nodes().stream().map(node -> node.takes().keySet()).toList(),
                net.pools().stream().mapToInt(PoolSize::consumer).toArray());
        this.first = new boolean[count];
        this.takes = new int[count][pools];
        this.takenBytes = new long[count][pools];
        this.least = new int[count][pools];
        this.most = new int[count][pools];
        for (int i = 0; i < count; i++) {
            int at = i;
            net.nodes().get(i).takes().forEach((pool, number) -> takes[at][pool] = number);
            net.nodes().get(i).takenBytes().forEach((pool, bytes) -> takenBytes[at][pool] = bytes);
            this.first[i] = first == null ? asking.isFirst(i) : first[i];
        }
        findDemands();
        this.outs = new Out[count][];
        this.distributors = new int[count];
        this.counters = findOutputs();
        this.quiet = new boolean[count];
        findQuiet();
        this.inputs = Arrays.stream(net.inputs()).filter(this::matters).toArray();
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

    /** Numbers the distributors, and the rules that collect; returns the number of the latter. */
    private int findOutputs() {
        Map<Integer, Integer> shared = new HashMap<>();
        int next = 0;
        int distributor = 0;
        for (int i = 0; i < outs.length; i++) {
            Node node = net.nodes().get(i);
            distributors[i] = node.kind().distributes() ? distributor++ : -1;
            outs[i] = new Out[node.outputs().size()];
            for (int j = 0; j < outs[i].length; j++) {
                Output output = node.outputs().get(j);
                int counter = -1;
                if (output.collects() > 1) {
                    int its = output.scope().shared();
                    counter = its < 0 ? next : shared.getOrDefault(its, next);
                    shared.put(its, counter);
                    next = Math.max(next, counter + 1);
                }
                outs[i][j] = out(i, j, output, counter);
            }
        }
        return next;
    }

    /** Returns the largest number of bytes that one buffer of the pool may have; 0 if the pool counts none. */
    long largestBytes(int pool) {
        return Arrays.stream(takenBytes).mapToLong(its -> its[pool]).max().orElse(0);
    }

    /** Returns the bytes of the pool that are not lent; 0 if the pool counts none. */
    long freeBytes(State state, int pool) {
        return net.pools().get(pool).bytes().limit() - state.lentBytes(pool);
    }

    /** Returns the number of distributors. */
    int distributions() {
        return (int) Arrays.stream(distributors).filter(number -> number >= 0).count();
    }

    private Out out(int node, int number, Output output, int counter) {
        int[] those = IntStream.range(0, output.consumers().length)
                .filter(i -> matters(output.consumers()[i]))
                .toArray();
        return new Out(
                node,
                number,
                output,
                releasesOf(output),
                Arrays.stream(those).map(i -> output.consumers()[i]).toArray(),
                Arrays.stream(those).map(i -> output.slots()[i]).toArray(),
                counter);
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
            for (int i = least.length - 1; i >= 0; i--) {
                for (int pool = 0; pool < pools; pool++) {
                    int one = demandOf(i, pool, least, false);
                    int other = demandOf(i, pool, most, true);
                    again |= one > least[i][pool] || other > most[i][pool];
                    least[i][pool] = Math.max(one, least[i][pool]);
                    most[i][pool] = Math.max(other, most[i][pool]);
                }
            }
        }
    }

    private int demandOf(int node, int pool, int[][] demand, boolean shares) {
        Integer declared = net.nodes().get(node).carries().get(pool);
        if (declared != null) {
            return declared;
        }
        int largest = 0;
        for (Output output : net.nodes().get(node).outputs()) {
            int items = shares ? Math.max(1, output.most()) : 1;
            long needed = Math.abs(output.releases().getOrDefault(pool, 0))
                    + (long) items * demand(output.consumers(), pool, demand);
            largest = Math.clamp(-Math.floorDiv(-needed, output.collects()), largest, MANY);
        }
        return Math.max(0, largest - takes[node][pool]);
    }

    private static int demand(int[] consumers, int pool, int[][] demand) {
        int largest = 0;
        for (int to : consumers) {
            largest = to >= 0 ? Math.max(largest, demand[to][pool]) : largest;
        }
        return largest;
    }

    /** Returns the number of buffers that an item that goes out must carry at least. */
    int demand(Out out, int pool) {
        return demand(out.rates().consumers(), pool, least);
    }

    /** Returns the number of buffers that an item that arrives at {@code node} must carry at least. */
    int least(int node, int pool) {
        return least[node][pool];
    }

    /** Returns the number of buffers that an item that arrives at {@code node} may carry at most. */
    int most(int node, int pool) {
        return most[node][pool];
    }

    /** Returns true if code outside of the graph gets the items that go out, and releases their buffers. */
    boolean isReleasedOutside(Out out, int pool) {
        return net.pools().get(pool).outside().releases()
                && Arrays.stream(out.rates().consumers()).anyMatch(to -> to == Network.OUTPUT);
    }

    /** Returns true if items at the node carry buffers or have slots, or may ask for some. */
    boolean matters(int node) {
        return node >= 0
                && (asking.asksAny(node)
                        || Arrays.stream(most[node]).anyMatch(number -> number > 0)
                        || net.pools().stream().anyMatch(pool -> pool.consumer() == node));
    }

    /** Returns true if the pool has the slots of a bounded edge. */
    boolean isBound(int pool) {
        return net.pools().get(pool).isBound();
    }

    /** Returns true if an item that arrives at {@code node} needs the buffers that it carries. */
    boolean isCarrier(int node, int pool) {
        return least[node][pool] > 0;
    }

    /** Returns true if no node before this one takes buffers. */
    boolean isFirst(int node) {
        return first[node];
    }

    /** Returns true if the node is a start task that takes no buffers: its items come from outside. */
    boolean isStart(int node) {
        return net.nodes().get(node).kind() == Kind.START && !isTaker(node);
    }

    boolean isTaker(int node) {
        return !net.nodes().get(node).takes().isEmpty();
    }

    /** Returns the number of buffers that go on, of {@code inHand} buffers of a pool. */
    int kept(Out out, int pool, int inHand) {
        return demand(out.rates().consumers(), pool, most) == 0
                ? 0
                : Math.max(0, inHand - Math.max(0, out.releases()[pool]));
    }

    /** Returns true if each item that goes out may carry {@code load} buffers. */
    private boolean mayCarry(Out out, int pool, int load) {
        return load >= demand(out, pool) && load <= demand(out.rates().consumers(), pool, most);
    }

    /** Returns true if each item that goes out carries a share of the {@code kept} buffers; else each carries all. */
    boolean isShared(Out out, int pool, int kept) {
        return mayBeShared(out, pool, kept) && !mayCarry(out, pool, kept);
    }

    /** Returns true if each item that goes out may carry a share, or all, and nothing says which. */
    boolean isUndecided(Out out, int pool, int kept) {
        return mayBeShared(out, pool, kept) && mayCarry(out, pool, kept);
    }

    private boolean mayBeShared(Out out, int pool, int kept) {
        int items = out.most();
        return items > 1 && kept > 0 && kept % items == 0 && mayCarry(out, pool, kept / items);
    }

    /** Returns true if an item that arrives at the node can only release buffers, and nothing collects it. */
    boolean isQuiet(int node) {
        return quiet[node];
    }
}
