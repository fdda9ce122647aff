package dev.jacquard.flow;

import java.util.List;

/**
 * What a graph's check found.
 *
 * @param graph the graph's name
 * @param problems one sentence each; none when the graph can run
 */
public record FlowCheck(String graph, List<String> problems) {
    /** Whether the graph can run. */
    public boolean isFine() {
        return problems.isEmpty();
    }

    /**
     * Throws when there are problems.
     *
     * @throws IllegalStateException with all of them
     */
    public void orThrow() {
        if (!isFine()) {
            throw new IllegalStateException(toString());
        }
    }

    @Override
    public String toString() {
        return isFine()
                ? "flow \"" + graph + "\": no problem found"
                : "flow \"" + graph + "\" cannot run:\n  " + String.join("\n  ", problems);
    }
}
