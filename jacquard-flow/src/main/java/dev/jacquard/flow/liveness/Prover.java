package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.Network.Kind;
import dev.jacquard.flow.liveness.Network.Node;
import dev.jacquard.flow.liveness.Network.PoolSize;
import dev.jacquard.flow.liveness.Search.Step;
import dev.jacquard.flow.proof.Proof;
import dev.jacquard.flow.proof.Proof.Memory;
import dev.jacquard.flow.proof.Proof.Standstill;
import dev.jacquard.flow.proof.Proof.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Proves or refutes that a network never stands still for want of buffers.
 *
 * <pre>
 *  declarations missing?                     --> unknown
 *  bounds by counting are within the sizes   --> proved
 *  no standstill in any order ({@link Search})   --> proved
 *  a standstill of played steps              --> refuted, with these steps
 *  else                                      --> unknown
 * </pre>
 *
 * <p>Threads: confined to the thread that proves.
 */
public final class Prover {
    /** The number of items from outside on their way at once, where one after the other do not stand still. */
    private static final int AT_ONCE = 3;

    /** The part of the states that the search for one of several sizes may examine. */
    private static final int SIZES = 10;
    /** The largest step, and the largest size, in the search for sizes that are enough. */
    private static final int MOST_MORE = 1 << 10;

    private static final int MOST_SIZE = 1 << 20;
    /** The same for the slots that an edge has more than its bound: items in a cycle may become more and more. */
    private static final int MOST_MORE_SLOTS = 1 << 6;

    private static final String LARGE = "the order of events: there are too many to examine";

    private final Network net;
    private final int mostStates;
    private final NetworkModel model;
    private final Cargo cargo;
    private final Bounds bounds;

    /** The answer for given sizes. */
    private record Answer(Verdict verdict, @Nullable Step standstill, String why) {}

    private Prover(Network net, int mostStates) {
        this.net = net;
        this.mostStates = mostStates;
        this.model = new NetworkModel(net);
        this.cargo = new Cargo(model);
        this.bounds = new Bounds(model, cargo);
    }

    /**
     * Returns the proof for a network.
     *
     * @param mostStates the number of states after which a search gives up
     */
    public static Proof prove(Network net, int mostStates) {
        if (net.pools().isEmpty() || net.pools().stream().anyMatch(pool -> pool.size() < 1)) {
            return new Proof(
                    net.graph(),
                    net.pools().isEmpty() ? Verdict.PROVED : Verdict.UNKNOWN,
                    memories(net, pool -> 0),
                    null,
                    net.pools().isEmpty() ? List.of() : List.of("a memory edge without buffers"));
        }
        return new Prover(net, mostStates).prove();
    }

    private static List<Memory> memories(Network net, IntUnaryOperator smallest) {
        List<Memory> memories = new ArrayList<>();
        for (int i = 0; i < net.pools().size(); i++) {
            PoolSize pool = net.pools().get(i);
            memories.add(new Memory(
                    pool.name(),
                    pool.size(),
                    smallest.applyAsInt(i),
                    pool.bytes() < 0 ? -1 : pool.bytes() * pool.size(),
                    pool.isBound()));
        }
        return memories;
    }

    private Proof prove() {
        if (!cargo.missing.isEmpty()) {
            return unknown(cargo.missing);
        }
        int[] sizes = net.pools().stream().mapToInt(PoolSize::size).toArray();
        int[] floors = net.pools().stream().mapToInt(PoolSize::floor).toArray();
        Answer answer = answer(sizes, floors);
        return switch (answer.verdict) {
            case UNKNOWN -> unknown(cargo.missingItems.isEmpty() ? Set.of(answer.why) : cargo.missingItems);
            case PROVED ->
                new Proof(
                        net.graph(),
                        Verdict.PROVED,
                        memories(net, pool -> Math.min(floors[pool], smallest(pool, floors))),
                        null,
                        List.of());
            case REFUTED -> refuted(sizes, answer.standstill);
        };
    }

    private Proof unknown(Set<String> missing) {
        return new Proof(net.graph(), Verdict.UNKNOWN, memories(net, pool -> 0), null, List.copyOf(missing));
    }

    private Proof refuted(int[] sizes, @Nullable Step step) {
        if (step == null) {
            throw new AssertionError("refuted without an order of events");
        }
        int[] enough = enough(sizes, step);
        Standstill how = new Standstill(new WaitChain(model, sizes).describe(step.state()), step.events());
        return new Proof(net.graph(), Verdict.REFUTED, memories(net, pool -> enough[pool]), how, List.of());
    }

    private Answer answer(int[] sizes, int[] floors) {
        if (bounds.areWithin(floors)) {
            return new Answer(Verdict.PROVED, null, "");
        }
        if (!cargo.missingItems.isEmpty()) {
            return new Answer(Verdict.UNKNOWN, null, "");
        }
        Search all = new Search(model, cargo, sizes, floors, 0, mostStates);
        boolean isFree = all.standstill() == null;
        if (isFree && !all.isCutOff && cargo.mixed.isEmpty()) {
            return new Answer(Verdict.PROVED, null, "");
        }
        String why = why(sizes, floors);
        if (!why.isEmpty()) {
            return new Answer(Verdict.UNKNOWN, null, why);
        }
        boolean isCutOff = all.isCutOff;
        for (int atOnce = 1; atOnce <= AT_ONCE; atOnce++) {
            Search played = new Search(model, cargo, sizes, sizes, atOnce, mostStates);
            Step step = played.standstill();
            if (step != null) {
                return new Answer(Verdict.REFUTED, step, "");
            }
            isCutOff |= played.isCutOff;
        }
        return new Answer(
                Verdict.UNKNOWN, null, isCutOff ? LARGE : "whether items from outside that overtake others matter");
    }

    /** Returns the reason why a standstill of played steps would be none of a run; empty if it would be one. */
    private String why(int[] sizes, int[] floors) {
        if (!cargo.mixed.isEmpty()) {
            return cargo.mixed.iterator().next();
        }
        for (int pool = 0; pool < sizes.length; pool++) {
            if (floors[pool] < sizes[pool]) {
                return net.pools().get(pool).named() + ": atLeast(" + floors[pool]
                        + ") is not proved to be enough for one item after the other";
            }
        }
        for (int i = 0; i < net.nodes().size(); i++) {
            Node node = net.nodes().get(i);
            if (node.isOrdered() && model.asking.asksAny(i)) {
                return node.named() + ": its comparator decides";
            }
            if (node.kind() == Kind.START && model.isTaker(i)) {
                return node.named() + ": a start task that takes buffers";
            }
        }
        return "";
    }

    // ---- sizes

    /**
     * Returns a size of one pool that is proved, with the others as in {@code sizes}, while one less is not.
     *
     * @param sizes sizes that are proved
     */
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
        Search all = new Search(model, cargo, sizes, sizes, 0, mostStates / SIZES);
        return cargo.missingItems.isEmpty() && cargo.mixed.isEmpty() && all.standstill() == null && !all.isCutOff;
    }

    /** Returns sizes that are proved, each of them the smallest for the others; 0 for each if none are found. */
    private int[] enough(int[] sizes, Step found) {
        int[] tried = sizes.clone();
        Step step = found;
        for (int more = 1; step != null; more = Math.min(2 * more, MOST_MORE)) {
            int lacking = new WaitChain(model, tried).lacking(step.state());
            if (lacking < 0
                    || tried[lacking] > (model.isBound(lacking) ? sizes[lacking] + MOST_MORE_SLOTS : MOST_SIZE)) {
                return new int[sizes.length];
            }
            tried[lacking] += more;
            Search all = new Search(model, cargo, tried, tried, 0, mostStates / SIZES);
            step = bounds.areWithin(tried) ? null : all.standstill();
            if (all.isCutOff) {
                return new int[sizes.length];
            }
        }
        for (int pool = 0; pool < tried.length; pool++) {
            tried[pool] = tried[pool] > sizes[pool] ? Math.max(sizes[pool], smallest(pool, tried)) : tried[pool];
        }
        return tried;
    }
}
