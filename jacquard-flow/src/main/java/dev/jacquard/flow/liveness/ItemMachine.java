package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.NetworkModel.Out;
import dev.jacquard.flow.liveness.State.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Executes items of a model by the rules of {@code flow.runtime} for buffers, on states that can be copied.
 *
 * <pre>
 *  arrive at a task that takes --> wait --grant: in turn, and all buffers free--> ready --execute--> arrive ...
 *  arrive elsewhere ---------------------------------------------------------------^
 * </pre>
 *
 * <p>Threads: confined to the thread of the search.
 */
final class ItemMachine {
    /** The ticket of the signal of a start task. */
    private static final int LAST = Character.MAX_VALUE;

    private final NetworkModel model;
    /** Per pool, the number of buffers. */
    private final int[] sizes;
    /**
     * True if items that only release buffers are executed like others, and bytes are counted; else those items release
     * as they arrive.
     */
    private final boolean isPlayed;
    /** The lines in which items wait if buffers are granted as soon as possible. */
    private final Lines lines;

    ItemMachine(NetworkModel model, int[] sizes, boolean isPlayed) {
        this.model = model;
        this.sizes = sizes;
        this.isPlayed = isPlayed;
        this.lines = new Lines(this, model);
    }

    /** Adds the signals of the start tasks of a run, which come before no item. */
    void begin(State state) {
        for (int node = 0; node < model.outs.length; node++) {
            if (model.isStart(node) && model.matters(node)) {
                state.tokens.add(new Token(node, false, LAST, new int[0]));
            }
        }
    }

    /**
     * Adds an item from outside to {@code nodes}.
     *
     * @param grants true if buffers are granted as soon as that is possible
     */
    void send(State state, int[] nodes, int ticket, boolean grants) {
        for (int to : nodes) {
            arrive(state, to, ticket, new int[0]);
        }
        if (grants) {
            lines.look(state, nodes);
        }
    }

    private void arrive(State state, int node, int ticket, int[] buffers) {
        if (!isPlayed && model.isQuiet(node)) {
            return;
        }
        int[] needed = Arrays.stream(buffers)
                .filter(buffer -> model.isCarrier(node, state.poolOf(buffer)) || isSlot(state, buffer))
                .toArray();
        state.tokens.add(new Token(node, model.isTaker(node), ticket, needed));
    }

    // ---- grants

    /** Returns true if the waiting item is in turn, and its buffers are free. */
    boolean mayGrant(State state, int at) {
        Token token = state.tokens.get(at);
        return lacking(state, token, sizes) < 0 && blocking(state, token) == null;
    }

    /** Grants the item its buffers. */
    void grant(State state, int at) {
        Token token = state.tokens.remove(at);
        int[] buffers = token.buffers();
        for (int pool = 0; pool < model.pools; pool++) {
            long bytes = isPlayed ? model.takenBytes[token.node()][pool] : 0;
            buffers = state.lend(pool, model.takes[token.node()][pool], bytes, buffers);
        }
        state.tokens.add(new Token(token.node(), false, token.ticket(), buffers));
    }

    /** Returns a pool that has too few free buffers for the item if it has {@code sizes}; -1 if there is none. */
    int lacking(State state, Token token, int[] given) {
        for (Map.Entry<Integer, Integer> need :
                model.net.nodes().get(token.node()).takes().entrySet()) {
            int pool = need.getKey();
            if (Math.max(0, given[pool] - state.lent(pool)) < need.getValue() || lacksBytes(state, token, pool)) {
                return pool;
            }
        }
        return -1;
    }

    /** Returns true if a pool has too few free bytes for the item. */
    boolean lacksBytes(State state, Token token, int pool) {
        return isPlayed && model.freeBytes(state, pool) < model.takenBytes[token.node()][pool];
    }

    /** Returns true if some pool has too few free buffers for the item. */
    boolean lacksAny(State state, Token token) {
        return lacking(state, token, sizes) >= 0;
    }

    /** Returns an item that comes before the waiting one, and may still ask the same pool; null if there is none. */
    @Nullable
    Token blocking(State state, Token waiting) {
        for (Token other : state.tokens) {
            if (comesBefore(other, waiting) && mayAskTheSame(other, waiting.node())) {
                return other;
            }
        }
        return null;
    }

    boolean comesBefore(Token other, Token waiting) {
        return other.ticket() < waiting.ticket()
                || (other.ticket() == waiting.ticket()
                        && model.isFirst(waiting.node())
                        && depth(other) > model.asking.depthHere(waiting.node()));
    }

    /** Returns true if the item has its buffers. */
    boolean isPast(Token token) {
        return model.isTaker(token.node()) && !token.waits();
    }

    private int depth(Token token) {
        return isPast(token) ? model.asking.depthPast(token.node()) : model.asking.depthHere(token.node());
    }

    private boolean mayAskTheSame(Token other, int node) {
        for (int pool : model.net.nodes().get(node).takes().keySet()) {
            if (isPast(other) ? model.asking.leadsTo(pool, other.node()) : model.asking.asks(pool, other.node())) {
                return true;
            }
        }
        return false;
    }

    // ---- work

    /** The items that one execution sends out, with the buffers of each. */
    private record Sent(Out out, List<int[]> loads, int[] slots) {}

    private boolean isSlot(State state, int buffer) {
        return model.isBound(state.poolOf(buffer));
    }

    /**
     * Frees the slot of an item that a copy takes: the first of its slots that are more than its node has taken.
     *
     * @return the item without it
     */
    private Token take(State state, int at, boolean grants) {
        Token token = state.tokens.get(at);
        int[] taken = model.takes[token.node()];
        for (int buffer : token.buffers()) {
            int pool = state.poolOf(buffer);
            if (model.isBound(pool) && count(state, token.buffers(), pool) > taken[pool]) {
                Token rest = token.with(Arrays.stream(token.buffers())
                        .filter(other -> other != buffer)
                        .toArray());
                state.tokens.set(at, rest);
                state.free(buffer);
                if (grants) {
                    lines.lookAtPool(state, pool);
                }
                return rest;
            }
        }
        return token;
    }

    private static int count(State state, int[] buffers, int pool) {
        return (int) Arrays.stream(buffers)
                .filter(buffer -> state.poolOf(buffer) == pool)
                .count();
    }

    /**
     * Returns the outputs that send items when the item is executed, which collects included.
     *
     * @param at the place of an item that is ready
     */
    List<Out> firing(State state, int at) {
        List<Out> firing = new ArrayList<>();
        for (Out out : model.outs[state.tokens.get(at).node()]) {
            if (out.counter() < 0 || state.collected.get(out.counter()).size() + 1 == out.collects()) {
                firing.add(out);
            }
        }
        return firing;
    }

    /**
     * Executes an item: releases, then sends items out, then the item is done.
     *
     * @param emits the number of items per output
     * @param grants true if buffers are granted as soon as that is possible
     */
    void execute(State state, int at, int[] emits, boolean grants) {
        List<Out> firing = firing(state, at);
        Token token = take(state, at, grants);
        int[] slots = Arrays.stream(token.buffers())
                .filter(buffer -> isSlot(state, buffer))
                .toArray();
        int[] carried = Arrays.stream(token.buffers())
                .filter(buffer -> !isSlot(state, buffer))
                .toArray();
        List<Sent> all = new ArrayList<>();
        int[] held = new int[0];
        int[] had = new int[0];
        for (Out out : model.outs[token.node()]) {
            int[] inHand = carried;
            if (out.counter() >= 0) {
                inHand = collect(state, out, inHand, firing.contains(out));
            }
            had = both(had, inHand);
            if (firing.contains(out)) {
                List<int[]> loads = loads(state, out, inHand, emits[out.number()]);
                Sent sent = new Sent(out, loads, slotsFor(state, out, loads.size(), slots, held));
                all.add(sent);
                held = both(held, sent.slots);
                for (int[] load : loads) {
                    held = both(held, load);
                }
            }
        }
        Token working = token.with(held);
        state.tokens.set(state.tokens.indexOf(token), working);
        if (grants) { // the body releases one buffer after the other, and the engine then all slots that are left
            for (int buffer : state.uncarried(had)) {
                int pool = state.poolOf(buffer);
                state.free(buffer);
                lines.lookAtPool(state, pool);
            }
            int[] left = state.uncarried(slots);
            int[] pools = Arrays.stream(left).map(state::poolOf).distinct().toArray();
            Arrays.stream(left).forEach(state::free);
            Arrays.stream(pools).forEach(pool -> lines.lookAtPool(state, pool));
        }
        for (Sent sent : all) {
            arrive(state, sent, token);
            if (grants) {
                lines.look(state, sent.out.consumers());
            }
        }
        state.tokens.remove(working); // no other has the same array of buffers
        if (grants) {
            lines.left(state, working);
        }
        state.free();
    }

    /**
     * Returns a slot for each item, and for each of its consumers with a bounded edge, of {@code slots} that are not
     * among {@code used}.
     */
    private int[] slotsFor(State state, Out out, int items, int[] slots, int[] used) {
        int[] chosen = new int[0];
        for (int i = 0; i < items; i++) {
            for (int pool : out.slots()) {
                if (pool == Network.NONE) {
                    continue;
                }
                int[] taken = both(used, chosen);
                int slot = Arrays.stream(slots)
                        .filter(its -> state.poolOf(its) == pool
                                && Arrays.stream(taken).noneMatch(other -> other == its))
                        .findFirst()
                        .orElseThrow();
                chosen = both(chosen, new int[] {slot});
            }
        }
        return chosen;
    }

    private void arrive(State state, Sent sent, Token from) {
        int ticket = from.ticket();
        int next = 0;
        for (int[] load : sent.loads) {
            ticket = model.isStart(from.node()) ? state.sent++ : ticket;
            for (int i = 0; i < sent.out.consumers().length; i++) {
                boolean isBound = sent.out.slots()[i] != Network.NONE;
                int[] buffers = isBound ? both(load, new int[] {sent.slots[next++]}) : load;
                arrive(state, sent.out.consumers()[i], ticket, buffers);
            }
        }
    }

    /** Adds an item to a collection; returns the buffers of all its items, if it is complete. */
    int[] collect(State state, Out out, int[] buffers, boolean isComplete) {
        List<int[]> items = state.collected.get(out.counter());
        items.add(buffers);
        int[] all = new int[0];
        if (isComplete) {
            for (int[] its : items) {
                all = both(all, its);
            }
            items.clear();
        }
        return all;
    }

    private static int[] both(int[] one, int[] other) {
        int[] all = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, all, one.length, other.length);
        return all;
    }

    /** Returns the buffers that each of {@code count} items carries. */
    private List<int[]> loads(State state, Out out, int[] inHand, int count) {
        List<List<Integer>> loads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            loads.add(new ArrayList<>());
        }
        for (int pool = 0; pool < model.pools; pool++) {
            int its = pool;
            int[] ofPool = Arrays.stream(inHand)
                    .filter(buffer -> state.poolOf(buffer) == its)
                    .toArray();
            int kept = model.kept(out, pool, ofPool.length);
            int share = model.isShared(out, pool, kept) ? kept / out.most() : kept;
            for (int i = 0; i < count; i++) {
                int from = ofPool.length - kept + (share < kept ? i * share : 0);
                for (int j = from; j < from + share; j++) {
                    loads.get(i).add(ofPool[j]);
                }
            }
        }
        return loads.stream()
                .map(load -> load.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }
}
