package dev.jacquard.flow.runtime;

import dev.jacquard.flow.memory.KeyedEdge;
import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.SizedEdge;
import dev.jacquard.memory.data.Layout;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a take states what its edge lends by: nothing, a size, a layout or a key.
 *
 * <p>Threads: any.
 */
final class Takes {
    private Takes() {}

    /** Checks a take outside of the graph, which states bytes, a layout or nothing; returns its bytes. */
    static long bytesOf(MemoryEdge<?> edge, @Nullable Object size) {
        if (size == null) {
            requirePlain(edge);
            return 0;
        }
        SizedEdge<?> sized = (SizedEdge<?>) edge;
        if (size instanceof Layout layout) {
            return bytesOf(sized, layout);
        }
        long bytes = (Long) size;
        requireSize(sized, bytes);
        return bytes;
    }

    /** Checks a take that states neither size nor key. */
    static void requirePlain(MemoryEdge<?> edge) {
        if (edge instanceof SizedEdge<?> sized) {
            throw refused(
                    edge, sized.lendsData() ? "data by layout: take(edge, layout)" : "by size: take(edge, bytes)");
        }
        if (edge instanceof KeyedEdge<?, ?>) {
            throw refused(edge, "by key: take(edge, key), inside a task");
        }
    }

    /** Checks a take that states a number of bytes. */
    static void requireSize(SizedEdge<?> edge, long bytes) {
        if (edge.lendsData()) {
            throw refused(edge, "data by layout: take(edge, layout)");
        }
        if (bytes < 0) {
            throw new IllegalArgumentException(
                    "a buffer of " + bytes + " bytes of memory edge \"" + edge.name() + "\": 0 or more");
        }
    }

    /** Checks a take that states a layout; returns its bytes. */
    static long bytesOf(SizedEdge<?> edge, Layout layout) {
        if (!edge.lendsData()) {
            throw refused(edge, "by size, of its allocator: take(edge, bytes)");
        }
        return layout.bytes();
    }

    private static IllegalArgumentException refused(MemoryEdge<?> edge, String how) {
        return new IllegalArgumentException("memory edge \"" + edge.name() + "\" lends " + how);
    }
}
