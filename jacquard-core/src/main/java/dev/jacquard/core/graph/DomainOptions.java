package dev.jacquard.core.graph;

/**
 * How the graphs of a session behave.
 *
 * @param keepsGraphs whether each graph remembers all of its tasks and edges
 */
public record DomainOptions(boolean keepsGraphs) {
    /** Nothing is remembered. */
    public static final DomainOptions USUAL = new DomainOptions(false);
}
