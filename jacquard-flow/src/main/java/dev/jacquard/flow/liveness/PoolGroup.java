package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.Network.Bytes;
import dev.jacquard.flow.liveness.Network.Node;
import dev.jacquard.flow.liveness.Network.Output;
import dev.jacquard.flow.liveness.Network.PoolSize;
import dev.jacquard.flow.liveness.NetworkModel.Out;
import dev.jacquard.flow.liveness.Search.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * One of the {@link Groups} of pools, which is proved alone. Groups with equal keys have equal answers: those of the
 * copies of a pipeline.
 *
 * <p>A pool that counts bytes may lend more buffers if they are small, and bodies may take less than they declare. It
 * lends in any case as many buffers as there are bytes for the largest; the search supposes no more, and no fewer lent.
 *
 * <p>Threads: confined to the thread that proves.
 */
final class PoolGroup {
    /** The part of the states that the search for one of several sizes may examine. */
    private static final int SIZES = 10;
    /** The largest step, and the largest size, in the search for sizes that are enough. */
    private static final int MOST_MORE = 1 << 10;

    private static final int MOST_SIZE = 1 << 20;
    /** The same for the slots that an edge has more than its bound: items in a cycle may become more and more. */
    private static final int MOST_MORE_SLOTS = 1 << 6;

    private final int mostStates;
    final NetworkModel model;
    private final Cargo cargo;
    private final Bounds bounds;

    /**
     * The answer for a group.
     *
     * @param isProved true if no order of events stands still
     * @param isCutOff true if that is unknown, since there are too many states
     * @param smallest per pool of the group, the smallest number of buffers that is proved to be enough; 0 if unknown
     * @param mixed the reasons why a standstill of the model would be none of a run
     */
    record Answer(boolean isProved, boolean isCutOff, int[] smallest, Set<String> mixed) {}

    PoolGroup(NetworkModel whole, int[] pools, int mostStates) {
        this.mostStates = mostStates;
        this.model = whole.only(pools);
        this.cargo = new Cargo(model);
        this.bounds = new Bounds(model, cargo);
    }

    Answer answer() {
        int[] sizes = sizes(PoolSize::size);
        int[] floors = sizes(PoolSize::floor);
        if (bounds.areWithin(floors)) {
            return new Answer(true, false, smallest(floors), Set.of());
        }
        Set<String> reasons = new LinkedHashSet<>(cargo.missing);
        reasons.addAll(cargo.mixed);
        if (!reasons.isEmpty() || !cargo.missingItems.isEmpty()) {
            return new Answer(false, false, new int[sizes.length], reasons);
        }
        Search all = new Search(model, cargo, sizes, guaranteed(floors), mostStates);
        Step found = all.standstill();
        return found == null && !all.isCutOff
                ? new Answer(true, false, smallest(floors), Set.of())
                : new Answer(false, all.isCutOff, enough(sizes), Set.of());
    }

    private int[] sizes(ToIntFunction<PoolSize> of) {
        return model.net.pools().stream().mapToInt(of).toArray();
    }

    /** Returns the numbers of buffers that are granted in turn, whatever their bytes. */
    private int[] guaranteed(int[] floors) {
        int[] fewer = floors.clone();
        for (int pool = 0; pool < fewer.length; pool++) {
            Bytes bytes = model.net.pools().get(pool).bytes();
            long largest = model.largestBytes(pool);
            fewer[pool] = (int) Math.min(floors[pool], largest == 0 ? floors[pool] : bytes.floor() / largest);
        }
        return fewer;
    }

    /** Returns true if as many of the largest buffers as the pool has are within its bytes. */
    boolean isByNumber(int pool) {
        int size = model.net.pools().get(pool).size();
        return guaranteed(sizes(PoolSize::size))[pool] == size;
    }

    // ---- sizes

    /** Returns, per pool, a size that is proved, with the others as in {@code sizes}, while one less is not. */
    private int[] smallest(int[] sizes) {
        int[] all = new int[sizes.length];
        for (int pool = 0; pool < sizes.length; pool++) {
            all[pool] = smallest(pool, sizes);
        }
        return all;
    }

    private int smallest(int pool, int[] sizes) {
        int[] tried = sizes.clone();
        int tooSmall = bounds.largestTake(pool) - 1;
        int enough = sizes[pool];
        while (enough - tooSmall > 1) {
            tried[pool] = (tooSmall + enough) >>> 1;
            if (isProved(tried)) {
                enough = tried[pool];
            } else {
                tooSmall = tried[pool];
            }
        }
        return enough;
    }

    private boolean isProved(int[] sizes) {
        if (bounds.areWithin(sizes)) {
            return true;
        }
        if (!cargo.missing.isEmpty() || !cargo.missingItems.isEmpty() || !cargo.mixed.isEmpty()) {
            return false;
        }
        Search all = new Search(model, cargo, sizes, guaranteed(sizes), mostStates / SIZES);
        return all.standstill() == null && !all.isCutOff;
    }

    /** Returns sizes that are proved, each of them the smallest for the others; 0 for each if none are found. */
    private int[] enough(int[] sizes) {
        int[] tried = sizes.clone();
        for (int more = 1; !bounds.areWithin(tried); more = Math.min(2 * more, MOST_MORE)) {
            int[] floors = guaranteed(tried);
            Search all = new Search(model, cargo, tried, floors, mostStates / SIZES);
            Step step = all.standstill();
            if (step == null && !all.isCutOff) {
                break;
            }
            int lacking = step == null ? -1 : new WaitChain(model, floors, false).lacking(step.state());
            if (lacking < 0 || tried[lacking] > largest(lacking, sizes) || floors[lacking] < tried[lacking]) {
                return new int[sizes.length];
            }
            tried[lacking] += more;
        }
        for (int pool = 0; pool < tried.length; pool++) {
            tried[pool] = tried[pool] > sizes[pool] ? Math.max(sizes[pool], smallest(pool, tried)) : tried[pool];
        }
        return tried;
    }

    private int largest(int pool, int[] sizes) {
        return model.isBound(pool) ? sizes[pool] + MOST_MORE_SLOTS : MOST_SIZE;
    }

    // ---- equal groups

    /** Returns a text that is equal for groups that are equal but for names. */
    String key() {
        int[] ranks = new int[model.outs.length];
        int next = 0;
        for (int node = 0; node < ranks.length; node++) {
            boolean isSource = model.net.nodes().get(node).kind() == Network.Kind.START && leadsOn(node);
            ranks[node] = model.matters(node) || isSource ? next++ : -1;
        }
        StringBuilder key = new StringBuilder();
        for (PoolSize pool : model.net.pools()) {
            int consumer = pool.isBound() ? ranks[pool.consumer()] : Network.NONE;
            key.append(List.of(pool.size(), pool.stated(), pool.bytes(), pool.outside(), consumer));
        }
        for (int[] source : model.sources) {
            key.append(ranks(source, ranks));
        }
        for (int node = 0; node < ranks.length; node++) {
            if (ranks[node] >= 0) {
                append(node, ranks, key);
            }
        }
        return key.toString();
    }

    private boolean leadsOn(int node) {
        return Arrays.stream(model.outs[node]).anyMatch(out -> out.consumers().length > 0);
    }

    private void append(int node, int[] ranks, StringBuilder key) {
        Node its = model.net.nodes().get(node);
        key.append('\n')
                .append(its.kind())
                .append(its.drops())
                .append(model.isFirst(node))
                .append(model.asking.depthHere(node))
                .append(' ')
                .append(model.asking.depthPast(node))
                .append(its.takes())
                .append(its.takenBytes())
                .append(its.carries());
        int others = 0;
        for (Out out : model.outs[node]) {
            if (model.distributors[node] >= 0 && out.consumers().length == 0) {
                others = 1; // copies that matter not, all together
                continue;
            }
            Output rates = out.rates();
            boolean ends = Arrays.stream(rates.consumers()).anyMatch(to -> to == Network.OUTPUT);
            key.append(List.of(rates.collects(), rates.least(), rates.most(), rates.releases(), ends))
                    .append(ranks(out.consumers(), ranks))
                    .append(Arrays.toString(out.slots()));
        }
        key.append(others);
    }

    private static List<Integer> ranks(int[] nodes, int[] ranks) {
        List<Integer> all = new ArrayList<>();
        for (int node : nodes) {
            all.add(ranks[node]);
        }
        return all;
    }
}
