package dev.jacquard.flow;

import dev.jacquard.flow.memory.MemoryEdge;
import dev.jacquard.flow.memory.SizedEdge;
import java.util.ArrayList;
import java.util.List;

/** Finds, before a run, memory edges that are too small, and tasks that take more than there is. */
final class MemoryChecks {
    private MemoryChecks() {}

    /** Returns the problems of the size of the edge {@code name}. */
    static List<String> size(String name, MemoryEdge<?> edge) {
        List<String> problems = new ArrayList<>();
        if (edge.size() < 1) {
            problems.add(name + " has " + edge.size() + " buffers: at least " + Math.max(1, edge.smallest()));
        } else if (edge.size() < edge.smallest()) {
            problems.add(name + " has " + edge.size() + " buffers, and works with no less than " + edge.smallest()
                    + because(edge));
        }
        if (edge instanceof SizedEdge<?> sized) {
            if (sized.bytes() < 1) {
                problems.add(name + " has " + sized.bytes() + " bytes: at least " + Math.max(1, sized.smallestBytes()));
            } else if (sized.bytes() < sized.smallestBytes()) {
                problems.add(name + " has " + sized.bytes() + " bytes, and works with no less than "
                        + sized.smallestBytes() + because(edge));
            }
        }
        return problems;
    }

    private static String because(MemoryEdge<?> edge) {
        return edge.reason() == null ? "" : " (" + edge.reason() + ")";
    }

    /** Returns the problems of a task that takes {@code count} buffers of {@code bytes} bytes for each item. */
    static List<String> taking(PlannedPart item, int count, MemoryEdge<?> edge, long bytes) {
        List<String> problems = new ArrayList<>();
        String what = "of memory edge \"" + edge.name() + "\" per item, which has ";
        if (count > edge.size() && edge.size() > 0) {
            problems.add("task \"" + item.name + "\" takes " + count + " buffers " + what + edge.size()
                    + ": make it at least " + count);
        }
        if (edge instanceof SizedEdge<?> sized) {
            if (bytes == 0) {
                problems.add("task \"" + item.name + "\" takes from memory edge \"" + edge.name()
                        + "\", which lends buffers by size, and states no bytes: "
                        + "declare the most per item with takes(edge, count, bytes)");
            } else if (bytes > sized.bytes() && sized.bytes() > 0) {
                problems.add("task \"" + item.name + "\" takes " + bytes + " bytes " + what + sized.bytes()
                        + ": the items are too large for their buffers; make it at least " + bytes);
            }
        }
        return problems;
    }
}
