package dev.jacquard.flow.liveness;

import dev.jacquard.flow.liveness.NetworkModel.Out;
import dev.jacquard.flow.liveness.State.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes a state in which nothing moves: which items wait for which buffers, and who holds these.
 *
 * <p>Threads: confined to the thread that proves.
 */
final class WaitChain {
    private final NetworkModel model;
    private final int[] sizes;
    private final ItemMachine machine;

    /**
     * Creates a description of states.
     *
     * @param isPlayed true for the states of a played search
     */
    WaitChain(NetworkModel model, int[] sizes, boolean isPlayed) {
        this.model = model;
        this.sizes = sizes;
        this.machine = new ItemMachine(model, sizes, isPlayed);
    }

    /** Returns a pool that an item in turn lacks, the slots of an edge if possible; -1 if there is none. */
    int lacking(State state) {
        int found = -1;
        for (Token token : state.tokens) {
            int pool = token.waits() ? machine.lacking(state, token, sizes) : -1;
            if (pool >= 0 && (found < 0 || (model.isBound(pool) && !model.isBound(found)))) {
                found = pool;
            }
        }
        return found;
    }

    /** Returns the chain of waits, up to the first part that comes again. */
    String describe(State state) {
        List<String> waits = new ArrayList<>();
        List<Integer> seen = new ArrayList<>();
        Token at = first(state);
        while (at != null && !seen.contains(at.node())) {
            seen.add(at.node());
            int pool = machine.lacking(state, at, sizes);
            Token blocking = pool < 0 ? machine.blocking(state, at) : null;
            String waiting = named(at.node()) + " waits for ";
            if (pool < 0) {
                waits.add(waiting + "an item at " + (blocking == null ? "another task" : named(blocking.node())));
                at = blocking != null && blocking.waits() ? blocking : null;
                continue;
            }
            Token holder = holder(state, pool);
            boolean isOfBytes = machine.lacksBytes(state, at, pool);
            waits.add(waiting
                    + (isOfBytes ? model.takenBytes[at.node()][pool] + " bytes" : model.takes[at.node()][pool])
                    + (model.isBound(pool) ? " slots of " : " of ")
                    + model.net.pools().get(pool).named() + ", of which "
                    + (isOfBytes ? model.freeBytes(state, pool) : sizes[pool] - state.lent(pool)) + " are free and "
                    + (holder == null
                            ? "others are held by " + keeper(state, pool)
                            : "others are held by items that wait at " + named(holder.node())));
            at = holder;
        }
        return String.join("; ", waits);
    }

    /** Returns an item that waits for a buffer; null if there is none. */
    private @Nullable Token first(State state) {
        for (Token token : state.tokens) {
            if (token.waits() && machine.lacking(state, token, sizes) >= 0) {
                return token;
            }
        }
        return null;
    }

    private static @Nullable Token holder(State state, int pool) {
        for (Token token : state.tokens) {
            for (int buffer : token.buffers()) {
                if (state.poolOf(buffer) == pool) {
                    return token;
                }
            }
        }
        return null;
    }

    /** Returns the name of the bookkeeper with a rule that collects items with buffers of the pool. */
    private String keeper(State state, int pool) {
        for (Out[] outs : model.outs) {
            for (Out out : outs) {
                if (out.counter() >= 0
                        && state.collected.get(out.counter()).stream()
                                .anyMatch(buffers -> holds(state, buffers, pool))) {
                    return named(out.node()) + ", which waits for more items";
                }
            }
        }
        return "nobody";
    }

    private static boolean holds(State state, int[] buffers, int pool) {
        for (int buffer : buffers) {
            if (state.poolOf(buffer) == pool) {
                return true;
            }
        }
        return false;
    }

    private String named(int node) {
        return model.net.nodes().get(node).named();
    }
}
