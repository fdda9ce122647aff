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
    /** The bytes of each of these, where they are counted. */
    private long[] bytesOf;
    /** Per distributor, the number of items that it has sent on, as far as that matters for the next. */
    final int[] distributed;
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
    State(int counters, int distributors) {
        tokens = new ArrayList<>();
        collected = new ArrayList<>();
        blocked = new ArrayList<>();
        for (int i = 0; i < counters; i++) {
            collected.add(new ArrayList<>());
        }
        poolOf = new int[0];
        bytesOf = new long[0];
        distributed = new int[distributors];
    }

    /** Creates a copy. */
    State(State from) {
        tokens = new ArrayList<>(from.tokens);
        collected = new ArrayList<>(from.collected.size());
        from.collected.forEach(items -> collected.add(new ArrayList<>(items)));
        blocked = new ArrayList<>(from.blocked);
        poolOf = from.poolOf;
        bytesOf = from.bytesOf;
        distributed = from.distributed.clone();
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

    /** Returns the bytes of the buffers of a pool that are lent. */
    long lentBytes(int pool) {
        long sum = 0;
        for (int i = 0; i < poolOf.length; i++) {
            sum += poolOf[i] == pool ? bytesOf[i] : 0;
        }
        return sum;
    }

    /** Lends {@code count} buffers of a pool, of {@code bytes} bytes together; returns {@code carried} and these. */
    int[] lend(int pool, int count, long bytes, int[] carried) {
        int from = poolOf.length;
        poolOf = Arrays.copyOf(poolOf, from + count);
        bytesOf = Arrays.copyOf(bytesOf, from + count);
        int[] all = Arrays.copyOf(carried, carried.length + count);
        for (int i = 0; i < count; i++) {
            poolOf[from + i] = pool;
            bytesOf[from + i] = bytes / count + (i < bytes % count ? 1 : 0);
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
        int count = 0;
        for (int at = 0; at < tokens.size(); at++) {
            Token token = tokens.get(at);
            count = number(token.buffers(), renumbered, count);
            tokens.set(at, token.with(renumber(token.buffers(), renumbered)));
        }
        for (List<int[]> items : collected) {
            for (int at = 0; at < items.size(); at++) {
                count = number(items.get(at), renumbered, count);
                items.set(at, renumber(items.get(at), renumbered));
            }
        }
        int[] pools = new int[count];
        long[] bytes = new long[count];
        for (int buffer = 0; buffer < renumbered.length; buffer++) {
            if (renumbered[buffer] >= 0) {
                pools[renumbered[buffer]] = poolOf[buffer];
                bytes[renumbered[buffer]] = bytesOf[buffer];
            }
        }
        poolOf = pools;
        bytesOf = bytes;
    }

    private static int number(int[] buffers, int[] renumbered, int from) {
        int next = from;
        for (int buffer : buffers) {
            if (renumbered[buffer] < 0) {
                renumbered[buffer] = next++;
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
        for (int its : distributed) {
            key.append((char) its);
        }
        return key.append('#').append((char) sent).toString();
    }

    private void append(int[] buffers, StringBuilder key) {
        for (int buffer : buffers) {
            key.append((char) buffer).append((char) poolOf[buffer]);
            if (bytesOf[buffer] > 0) {
                key.append('b').append(bytesOf[buffer]).append('b');
            }
        }
    }
}
