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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Proves or refutes that a network never stands still for want of buffers.
 *
 * <pre>
 *  declarations missing?                                        --> unknown
 *  per group of pools ({@link Groups}):
 *    bounds by counting are within the sizes                    --> proved
 *    no standstill in any order ({@link Search})                    --> proved
 *  all groups proved                                            --> proved
 *  a standstill of played steps of the whole network            --> refuted, with these steps
 *  else                                                         --> unknown
 * </pre>
 *
 * <p>Threads: confined to the thread that proves.
 */
public final class Prover {
    /** The number of items from outside on their way at once, where one after the other do not stand still. */
    private static final int AT_ONCE = 3;
    /** The part of the states that a played search may examine. */
    private static final int PLAYS = 4;
    /** The largest number of pools times the number of nodes. */
    private static final long LARGEST = 1 << 20;

    private static final String LARGE = "the order of events: there are too many to examine";

    private final Network net;
    private final int mostStates;
    private final NetworkModel model;
    private final Cargo cargo;
    /** The answers for groups by their keys. */
    private final Map<String, PoolGroup.Answer> known = new HashMap<>();

    /** A group that is not proved. */
    private record Open(int[] pools, PoolGroup group, PoolGroup.Answer answer) {}

    private Prover(Network net, int mostStates) {
        this.net = net;
        this.mostStates = mostStates;
        this.model = new NetworkModel(net);
        this.cargo = new Cargo(model);
    }

    /**
     * Returns the proof for a network.
     *
     * @param mostStates the number of states after which a search gives up
     */
    public static Proof prove(Network net, int mostStates) {
        List<PoolSize> pools = net.pools();
        if (pools.isEmpty()) {
            return new Proof(net.graph(), Verdict.PROVED, List.of(), null, List.of());
        } else if (pools.stream().anyMatch(pool -> pool.size() < 1)) {
            return unknown(net, Set.of("a memory edge without buffers"));
        } else if ((long) pools.size() * net.nodes().size() > LARGEST) {
            return unknown(
                    net,
                    Set.of("fewer parts: " + net.nodes().size() + " with " + pools.size()
                            + " memory edges are too many to examine"));
        }
        return new Prover(net, mostStates).prove();
    }

    private static Proof unknown(Network net, Set<String> missing) {
        return new Proof(
                net.graph(), Verdict.UNKNOWN, memories(net, new int[net.pools().size()]), null, List.copyOf(missing));
    }

    private static List<Memory> memories(Network net, int[] smallest) {
        List<Memory> memories = new ArrayList<>();
        for (int i = 0; i < smallest.length; i++) {
            PoolSize pool = net.pools().get(i);
            memories.add(new Memory(
                    pool.name(), pool.size(), smallest[i], pool.bytes().atMost(pool.size()), pool.isBound()));
        }
        return memories;
    }

    private Proof prove() {
        if (!cargo.missing.isEmpty()) {
            return unknown(net, cargo.missing);
        }
        int[] smallest = new int[model.pools];
        List<Open> open = new ArrayList<>();
        for (int[] pools : Groups.of(model, cargo)) {
            PoolGroup group = new PoolGroup(model, pools, mostStates);
            PoolGroup.Answer answer = known.computeIfAbsent(group.key(), key -> group.answer());
            for (int i = 0; i < pools.length; i++) {
                smallest[pools[i]] = answer.smallest()[i];
            }
            if (!answer.isProved()) {
                open.add(new Open(pools, group, answer));
            }
        }
        if (open.isEmpty()) {
            return new Proof(net.graph(), Verdict.PROVED, memories(net, smallest), null, List.of());
        }
        return refuted(open, smallest);
    }

    /** Looks for a standstill that a run can play. */
    private Proof refuted(List<Open> open, int[] smallest) {
        if (!cargo.missingItems.isEmpty()) {
            return unknown(net, cargo.missingItems);
        }
        Set<String> reasons = new LinkedHashSet<>();
        int[] sizes = net.pools().stream().mapToInt(PoolSize::size).toArray();
        Set<String> tried = new HashSet<>();
        for (Open its : open) {
            if (!tried.add(its.group.key())) {
                continue; // another copy, with the same answer
            }
            String why = why(its);
            Step step = why.isEmpty() ? play(its, sizes, reasons) : null;
            if (step != null) {
                Standstill how =
                        new Standstill(new WaitChain(model, sizes, true).describe(step.state()), step.events());
                return new Proof(net.graph(), Verdict.REFUTED, memories(net, smallest), how, List.of());
            } else if (!why.isEmpty()) {
                reasons.add(why);
            }
        }
        return unknown(net, reasons);
    }

    private @Nullable Step play(Open open, int[] sizes, Set<String> reasons) {
        boolean isCutOff = open.answer.isCutOff();
        boolean isUsers = false;
        for (int atOnce = 1; atOnce <= AT_ONCE; atOnce++) {
            Search played = Search.played(model, cargo, sizes, atOnce, open.group.model, mostStates / PLAYS);
            Step step = played.standstill();
            if (step != null) {
                return step;
            }
            isCutOff |= played.isCutOff;
            isUsers |= played.isUsers;
        }
        reasons.add(
                isCutOff
                        ? LARGE
                        : isUsers
                                ? "the copies that the distribution of a pipeline chooses"
                                : "whether items from outside that overtake others matter");
        return null;
    }

    /** Returns the reason why a standstill of played steps would be none of a run; empty if it would be one. */
    private String why(Open open) {
        if (!open.answer.mixed().isEmpty()) {
            return open.answer.mixed().iterator().next();
        }
        for (int i = 0; i < open.pools.length; i++) {
            PoolSize pool = net.pools().get(open.pools[i]);
            if (!open.group.isByNumber(i)) {
                return "memory edge \"" + pool.name() + "\": whether "
                        + pool.bytes().floor() + " bytes are enough, which depends on the sizes that are taken";
            }
        }
        for (PoolSize pool : net.pools()) {
            if (pool.floor() < pool.size()) {
                return pool.named() + ": atLeast(" + pool.floor()
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
            } else if (model.isStart(i)
                    && model.matters(i)
                    && node.outputs().getFirst().most() < 0) {
                return node.named() + ": emits(n), the number of items";
            }
        }
        return "";
    }
}
