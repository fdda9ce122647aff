package dev.jacquard.memory.coherence;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Memory that was given back to a space, kept by size for the next replica of as many bytes: a program that repeats its
 * work allocates nothing after the first time. A space keeps no more than it has had in use at once, or a space that is
 * used with many sizes would grow for ever.
 *
 * <p>Guarded like its space.
 */
final class KeptMemory<M> {
    /** The sizes that were used longest ago first. */
    private final Map<Long, Deque<M>> bySize = new LinkedHashMap<>(16, 0.75f, true);

    private final Consumer<? super M> end;
    private long bytes;

    /** {@code end} gives memory back for good. */
    KeptMemory(Consumer<? super M> end) {
        this.end = end;
    }

    /** Memory of just that size; null when none is kept. */
    @Nullable
    M take(long size) {
        Deque<M> fitting = bySize.get(size);
        M taken = fitting == null ? null : fitting.poll();
        bytes -= taken == null ? 0 : size;
        return taken;
    }

    /** Keeps memory; of all that is kept at most {@code most} bytes: the least recently used memory goes first. */
    void give(long size, M memory, long most) {
        bytes += size;
        bySize.computeIfAbsent(size, any -> new ArrayDeque<>()).push(memory);
        shrink(most);
    }

    boolean isEmpty() {
        return bytes == 0;
    }

    /** Frees the least recently used memory until at most {@code most} bytes are kept. */
    void shrink(long most) {
        Iterator<Map.Entry<Long, Deque<M>>> sizes = bySize.entrySet().iterator();
        while (bytes > most && sizes.hasNext()) {
            Map.Entry<Long, Deque<M>> one = sizes.next();
            for (M memory = one.getValue().poll();
                    memory != null;
                    memory = one.getValue().poll()) {
                bytes -= one.getKey();
                end.accept(memory);
                if (bytes <= most) {
                    return;
                }
            }
            sizes.remove();
        }
    }
}
