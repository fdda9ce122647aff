package dev.jacquard.core.coherence;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Memory that was given back to a space, kept by size for the next replica of as many bytes: what a program does again and again makes no
 * memory after the first time.
 *
 * <p>Guarded like its space.
 */
final class KeptMemory<M> {
    private final Map<Long, Deque<M>> bySize = new HashMap<>();
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

    void give(long size, M memory) {
        bytes += size;
        bySize.computeIfAbsent(size, any -> new ArrayDeque<>()).push(memory);
    }

    boolean isEmpty() {
        return bytes == 0;
    }

    /** Keeps at most so many bytes from now on. */
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
