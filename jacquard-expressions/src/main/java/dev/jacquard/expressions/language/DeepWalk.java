package dev.jacquard.expressions.language;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A recursive walk that remembers its results, over graphs so deep that the stack would overflow: below some depth it
 * is given up, begun again at that place, and repeated from above when that place has its result.
 *
 * <p>Confined to one thread.
 *
 * @param <K> a place
 */
final class DeepWalk<K> {
    private static final int MOST_DEPTH = 100;

    /** The walk ends at a place that it has to begin at. */
    @SuppressWarnings("serial") // never leaves this class
    private static final class TooDeep extends RuntimeException {
        TooDeep() {
            super(null, null, false, false);
        }
    }

    private int depth;
    private @Nullable K deepest;

    /** Notes that the walk goes to a place with an unknown result; ends the walk if that is too deep. */
    void enter(K place) {
        if (depth >= MOST_DEPTH) {
            deepest = place;
            throw new TooDeep();
        }
        depth++;
    }

    /** Notes that the walk has the result of a place. */
    void leave() {
        depth--;
    }

    /**
     * Walks.
     *
     * @param whole walks from the top and returns its result
     * @param part walks from a place that was too deep, and remembers its result
     * @throws IllegalArgumentException if a place, by its identity, is below itself
     */
    <R> R run(Supplier<R> whole, Consumer<K> part) {
        Deque<K> left = new ArrayDeque<>();
        Set<K> open = Collections.newSetFromMap(new IdentityHashMap<>());
        while (true) {
            depth = 0;
            try {
                if (left.isEmpty()) {
                    return whole.get();
                }
                part.accept(left.getLast());
                open.remove(left.removeLast());
            } catch (TooDeep e) {
                K next = Objects.requireNonNull(deepest);
                if (!open.add(next)) {
                    throw new IllegalArgumentException(
                            "what stands for a field reads that field, itself or by way of other fields: it has no"
                                    + " end");
                }
                left.addLast(next);
            }
        }
    }
}
