package dev.jacquard.flow.liveness;

import java.util.List;
import java.util.Map;

/**
 * A flow graph as the proof sees it: parts by number, with their rates, and memory edges.
 *
 * @param graph the graph's name
 * @param nodes the tasks and bookkeepers
 * @param inputs the nodes that the graph's input feeds; negative numbers stand for the output, or nowhere
 * @param pools the memory edges
 * @param circles nodes that feed each other in a circle, one list per circle
 */
public record Network(String graph, List<Node> nodes, int[] inputs, List<PoolSize> pools, List<List<Integer>> circles) {
    /** Stands for a number that is not declared. */
    public static final int UNKNOWN = -1;
    /** The number of the graph's output among consumers. */
    public static final int OUTPUT = -1;

    /** Stands for no node, or no pool. */
    public static final int NONE = -1;

    /**
     * A memory edge, or the slots of a bounded edge.
     *
     * @param name unique in the graph
     * @param size the number of buffers
     * @param stated the smallest size that the user stated; 0 if none
     * @param bytes the bytes of a buffer; {@link #UNKNOWN} where only the allocator knows
     * @param outside whether code outside of the graph takes, and whether it releases
     * @param isByNumber whether the number of buffers is all that decides on a grant: not bytes, nor keys
     * @param consumer the node at which items wait that have a slot each; {@link #NONE} of a memory edge
     */
    public record PoolSize(
            String name, int size, int stated, long bytes, Outside outside, boolean isByNumber, int consumer) {
        /** Returns true if the buffers are the slots of a bounded edge. */
        boolean isBound() {
            return consumer != NONE;
        }

        /** Returns the name with the kind: {@code memory edge "tiles"}. */
        String named() {
            return (isBound() ? "edge \"" : "memory edge \"") + name + '"';
        }

        /** Returns the number of buffers that are lent in turn only. */
        int floor() {
            return stated == 0 ? size : Math.min(size, stated);
        }
    }

    /**
     * The part of code outside of the graph.
     *
     * @param takes whether it takes buffers
     * @param releases whether it releases buffers
     */
    public record Outside(boolean takes, boolean releases) {}

    /**
     * A task or bookkeeper.
     *
     * @param name unique in the graph
     * @param kind the kind of node
     * @param isOrdered whether a comparator chooses the next item
     * @param takes the number of buffers per item, by the number of the pool
     * @param carries the number of buffers that each item that comes in carries, where that was declared
     * @param outputs one for a task, one per rule for a bookkeeper
     */
    public record Node(
            String name,
            Kind kind,
            boolean isOrdered,
            Map<Integer, Integer> takes,
            Map<Integer, Integer> carries,
            List<Output> outputs) {
        /** Returns the name with the kind: {@code task "read"}. */
        public String named() {
            return (kind == Kind.BOOKKEEPER ? "bookkeeper \"" : "task \"") + name + '"';
        }
    }

    /** The kinds of nodes. */
    public enum Kind {
        /** A task with a producer. */
        TASK,
        /** A task that begins without a producer. */
        START,
        /** A bookkeeper. */
        BOOKKEEPER
    }

    /**
     * The output of a task or rule.
     *
     * @param collects the number of items that come in for each time that items go out; 1 for a task
     * @param least the least number of items that go out then; {@link #UNKNOWN} if undeclared
     * @param most the largest number; {@link #UNKNOWN} if undeclared
     * @param releases the number of buffers that are released then, by the number of the pool; {@link #UNKNOWN} if
     *     undeclared
     * @param consumers the nodes that get each item
     * @param slots per consumer, the pool of slots of the edge; {@link #NONE} of an edge without bound
     */
    public record Output(
            int collects, int least, int most, Map<Integer, Integer> releases, int[] consumers, int[] slots) {}
}
