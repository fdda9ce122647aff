package dev.jacquard.flow;

import java.util.List;

/**
 * The result of a graph's check.
 *
 * @param graph the graph's name
 * @param problems one sentence per problem; empty if the graph can run
 */
public record FlowCheck(String graph, List<String> problems) {
    /** Returns true if the graph can run. */
    public boolean isFine() {
        return problems.isEmpty();
    }

    /**
     * Throws an exception if there are problems.
     *
     * @throws IllegalStateException if there are problems; the message names all of them
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
