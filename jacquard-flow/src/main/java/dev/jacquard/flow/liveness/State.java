package dev.jacquard.flow.liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The contents of a run at one moment: the items on their way, the items that rules collect, and the buffers of both.
 *
 * <p>Threads: confined to the thread of the search, and not changed once a search has seen it.
 */
final class State {
    /** The items on their way, in the order of their arrival; an item that got its buffers counts as arrived then. */
    final List<Token> tokens;
    /** Per output that collects items, the buffers of each item that it has. */
    final List<List<int[]>> collected;
    /** The nodes whose line is blocked, with the place where it is, in the order in which they were. */
    final List<int[]> blocked;
    /** The pool of each buffer that is lent. */
    private int[] poolOf;
    /** The number of items from outside so far, where a search counts them. */
    int sent;

    /**
     * An item on its way.
     *
     * @param node the node where it is
     * @param waits true while it waits for buffers
     * @param ticket the number of the item from outside that it comes of
     * @param buffers the numbers of the buffers that it carries
     */
    record Token(int node, boolean waits, int ticket, int[] buffers) {
        Token with(int[] others) {
            return new Token(node, waits, ticket, others);
        }
    }

    /** Creates the state before the first item. */
    State(int counters) {
        tokens = new ArrayList<>();
        collected = new ArrayList<>();
        blocked = new ArrayList<>();
        for (int i = 0; i < counters; i++) {
            collected.add(new ArrayList<>());
        }
        poolOf = new int[0];
    }

    /** Creates a copy. */
    State(State from) {
        tokens = new ArrayList<>(from.tokens);
        collected = new ArrayList<>(from.collected.size());
        from.collected.forEach(items -> collected.add(new ArrayList<>(items)));
        blocked = new ArrayList<>(from.blocked);
        poolOf = from.poolOf;
        sent = from.sent;
    }

    /** Returns the number of buffers of a pool that are lent. */
    int lent(int pool) {
        int count = 0;
        for (int its : poolOf) {
            count += its == pool ? 1 : 0;
        }
        return count;
    }

    int poolOf(int buffer) {
        return poolOf[buffer];
    }

    /** Lends {@code count} buffers of a pool; returns {@code carried} and these. */
    int[] lend(int pool, int count, int[] carried) {
        int from = poolOf.length;
        poolOf = Arrays.copyOf(poolOf, from + count);
        Arrays.fill(poolOf, from, from + count, pool);
        int[] all = Arrays.copyOf(carried, carried.length + count);
        for (int i = 0; i < count; i++) {
            all[carried.length + i] = from + i;
        }
        return all;
    }

    /** Returns those of {@code buffers} that are lent, although no item carries them. */
    int[] uncarried(int[] buffers) {
        boolean[] carried = new boolean[poolOf.length];
        tokens.forEach(token -> mark(token.buffers(), carried));
        collected.forEach(items -> items.forEach(its -> mark(its, carried)));
        return Arrays.stream(buffers)
                .filter(buffer -> !carried[buffer])
                .distinct()
                .toArray();
    }

    /** Frees one buffer. */
    void free(int buffer) {
        poolOf = poolOf.clone(); // copies share it
        poolOf[buffer] = -1;
    }

    private static void mark(int[] buffers, boolean[] carried) {
        for (int buffer : buffers) {
            carried[buffer] = true;
        }
    }

    /** Frees the buffers that no item carries, and numbers the others in the order in which items carry them. */
    void free() {
        int[] renumbered = new int[poolOf.length];
        Arrays.fill(renumbered, -1);
        int[] pools = new int[poolOf.length];
        int count = 0;
        for (int at = 0; at < tokens.size(); at++) {
            Token token = tokens.get(at);
            count = number(token.buffers(), renumbered, pools, count);
            tokens.set(at, token.with(renumber(token.buffers(), renumbered)));
        }
        for (List<int[]> items : collected) {
            for (int at = 0; at < items.size(); at++) {
                count = number(items.get(at), renumbered, pools, count);
                items.set(at, renumber(items.get(at), renumbered));
            }
        }
        poolOf = Arrays.copyOf(pools, count);
    }

    private int number(int[] buffers, int[] renumbered, int[] pools, int from) {
        int next = from;
        for (int buffer : buffers) {
            if (renumbered[buffer] < 0) {
                renumbered[buffer] = next;
                pools[next++] = poolOf[buffer];
            }
        }
        return next;
    }

    private static int[] renumber(int[] buffers, int[] renumbered) {
        int[] all = new int[buffers.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = renumbered[buffers[i]];
        }
        return all;
    }

    /** Brings the items into an order that does not depend on their arrival, since any item may be next. */
    void sort() {
        tokens.sort(Comparator.comparingInt(Token::node)
                .thenComparing(Token::waits)
                .thenComparingInt(token -> token.buffers().length));
        free();
    }

    /** Returns a text that is equal for equal states. */
    String key() {
        StringBuilder key = new StringBuilder(16 * tokens.size() + 16);
        for (Token token : tokens) {
            key.append((char) (2 * token.node() + (token.waits() ? 1 : 0)))
                    .append((char) token.ticket())
                    .append((char) token.buffers().length);
            append(token.buffers(), key);
        }
        for (List<int[]> items : collected) {
            key.append('|').append((char) items.size());
            for (int[] buffers : items) {
                key.append((char) buffers.length);
                append(buffers, key);
            }
        }
        for (int[] line : blocked) {
            key.append('!').append((char) line[0]).append((char) line[1]);
        }
        return key.append('#').append((char) sent).toString();
    }

    private void append(int[] buffers, StringBuilder key) {
        for (int buffer : buffers) {
            key.append((char) buffer).append((char) poolOf[buffer]);
        }
    }
}
