package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.State.Token;

/**
 * The lines of items that wait for buffers, as {@code flow.runtime} has them: a line is looked at when a buffer of one
 * of its pools is free again, when items join it, and when an item leaves the place where it is blocked. So where
 * several lines could be granted the same buffer, the choice is that of a run.
 *
 * <p>Threads: confined to the thread of the search.
 */
final class Lines {
    private static final int NOWHERE = -1;

    private final ItemMachine machine;
    private final NetworkModel model;

    Lines(ItemMachine machine, NetworkModel model) {
        this.machine = machine;
        this.model = model;
    }

    /** Looks at the lines of {@code nodes}, which items have joined. */
    void look(State state, int[] nodes) {
        for (int node : nodes) {
            if (model.isTaker(node)) {
                look(state, node);
            }
        }
    }

    /** Looks at the lines of a pool that has one more free buffer. */
    void lookAtPool(State state, int pool) {
        for (int node = 0; node < model.outs.length; node++) {
            if (model.takes[node][pool] > 0) {
                look(state, node);
            }
        }
    }

    /** Looks at the lines that were blocked where an item was that is done. */
    void left(State state, Token done) {
        int place = placeOf(done);
        if (place != NOWHERE) {
            unblock(state, place);
        }
    }

    private void look(State state, int node) {
        for (int at = first(state, node); at >= 0; at = first(state, node)) {
            Token token = state.tokens.get(at);
            boolean lacks = machine.lacksAny(state, token);
            int blocking = lacks ? NOWHERE : blocking(state, token);
            block(state, node, blocking);
            if (lacks || blocking != NOWHERE) {
                return;
            }
            machine.grant(state, at);
            unblock(state, 2 * node);
        }
    }

    private void unblock(State state, int place) {
        for (int i = count(state, place) - 1; i >= 0; i--) {
            if (i < count(state, place)) { // a look may remove others
                look(state, blockedAt(state, place, i));
            }
        }
    }

    private static int count(State state, int place) {
        return (int) state.blocked.stream().filter(line -> line[1] == place).count();
    }

    /** Returns the node of the line that was the {@code number}-th to be blocked at the place. */
    private static int blockedAt(State state, int place, int number) {
        int[][] lines = state.blocked.stream().filter(line -> line[1] == place).toArray(int[][]::new);
        return lines[number][0];
    }

    private static void block(State state, int node, int place) {
        if (known(state, node) != place) {
            state.blocked.removeIf(line -> line[0] == node);
            if (place != NOWHERE) {
                state.blocked.add(new int[] {node, place});
            }
        }
    }

    private static int known(State state, int node) {
        for (int[] line : state.blocked) {
            if (line[0] == node) {
                return line[1];
            }
        }
        return NOWHERE;
    }

    /** Returns the position of the eldest item that waits at {@code node}; -1 if there is none. */
    private static int first(State state, int node) {
        int eldest = -1;
        for (int i = 0; i < state.tokens.size(); i++) {
            Token token = state.tokens.get(i);
            if (token.node() == node
                    && token.waits()
                    && (eldest < 0 || token.ticket() < state.tokens.get(eldest).ticket())) {
                eldest = i;
            }
        }
        return eldest;
    }

    /** Returns the place that blocks the item: that of before, or the first in the order of pools and nodes. */
    private int blocking(State state, Token waiting) {
        int known = known(state, waiting.node());
        if (known != NOWHERE && isBefore(state, known, waiting)) {
            return known;
        }
        for (int pool : model.net.nodes().get(waiting.node()).takes().keySet()) {
            for (int node = 0; node < model.outs.length; node++) {
                if (model.asking.asks(pool, node) && isBefore(state, 2 * node, waiting)) {
                    return 2 * node;
                }
                if (model.asking.leadsTo(pool, node) && isBefore(state, 2 * node + 1, waiting)) {
                    return 2 * node + 1;
                }
            }
        }
        return NOWHERE;
    }

    private boolean isBefore(State state, int place, Token waiting) {
        for (Token other : state.tokens) {
            if (placeOf(other) == place && machine.comesBefore(other, waiting)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the place of an item: twice the number of its node, and one more past a line. */
    private int placeOf(Token token) {
        if (machine.isPast(token)) {
            return model.asking.leadsToAny(token.node()) ? 2 * token.node() + 1 : NOWHERE;
        }
        return model.asking.asksAny(token.node()) ? 2 * token.node() : NOWHERE;
    }
}
