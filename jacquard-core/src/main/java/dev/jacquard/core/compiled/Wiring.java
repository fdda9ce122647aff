package dev.jacquard.core.compiled;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All nodes of a compiled graph, and who waits for whom, by number.
 *
 * <p>Nodes have no references to each other on purpose. A collector that moves objects puts them where it meets them: along references
 * that is an order that no run has, and every task then waits for memory. Met in this array, they come to lie in its order, which is
 * that of a run on one worker.
 *
 * <p>Written by the builder; constant from then on.
 */
final class Wiring {
    final CompiledGraph graph;
    /** Whether there is one worker. */
    final boolean alone;

    /** What tasks are besides, by the numbers that the builder gave. */
    final TaskTraits[] traits;

    private @Nullable CompiledNode[] nodes;
    private int size;
    /** The successors of each node, side by side. */
    private int[] targets = new int[16];

    private int used;

    Wiring(CompiledGraph graph, boolean alone, TaskTraits[] traits) {
        this.graph = graph;
        this.alone = alone;
        this.traits = traits;
        this.nodes = new @Nullable CompiledNode[traits.length + 1];
    }

    /** Builder only: adds a node; returns its number. */
    int add(CompiledNode node) {
        if (size == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * size);
        }
        nodes[size] = node;
        return size++;
    }

    /** Builder only: lets {@code successors} wait for {@code node}. */
    void connect(CompiledNode node, int... successors) {
        if (used + successors.length > targets.length) {
            targets = Arrays.copyOf(targets, Math.max(used + successors.length, 2 * targets.length));
        }
        System.arraycopy(successors, 0, targets, used, successors.length);
        node.releases(used, used + successors.length);
        used += successors.length;
    }

    /** The number of the {@code index}th target. */
    int number(int index) {
        return targets[index];
    }

    /** The {@code index}th target. */
    CompiledNode target(int index) {
        return node(targets[index]);
    }

    @SuppressWarnings("NullAway") // numbers are those of nodes that were added
    CompiledNode node(int number) {
        return nodes[number];
    }
}
