package dev.jacquard.flow.liveness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
     * @param bytes the bytes of the buffers
     * @param outside whether code outside of the graph takes, and whether it releases
     * @param consumer the node at which items wait that have a slot each; {@link #NONE} of a memory edge
     */
    public record PoolSize(String name, int size, int stated, Bytes bytes, Outside outside, int consumer) {
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
     * The bytes of the buffers of a memory edge.
     *
     * @param each the bytes of a buffer; {@link #UNKNOWN} where only the allocator knows
     * @param limit the bytes of all buffers together, where each take states a size; 0 where none does
     * @param floor the number of these that are lent in turn only
     */
    public record Bytes(long each, long limit, long floor) {
        /**
         * Returns the bytes that {@code size} buffers have at most; {@link #UNKNOWN} where only the allocator knows.
         */
        long atMost(int size) {
            return limit > 0 ? limit : each < 0 ? UNKNOWN : each * size;
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
     * A task, a bookkeeper, or the distributor of a pipeline.
     *
     * @param name unique in the graph
     * @param kind the kind of node
     * @param isOrdered whether a comparator chooses the next item
     * @param drops whether an item that fails is dropped, so that nothing comes of it
     * @param takes the number of buffers per item, by the number of the pool
     * @param takenBytes the largest number of bytes of these buffers together, by the number of the pool, where takes
     *     state a size
     * @param carries the number of buffers that each item that comes in carries, where that was declared
     * @param outputs one for a task, one per rule for a bookkeeper, one per copy for a distributor; then one per edge
     *     between siblings and copy
     */
    public record Node(
            String name,
            Kind kind,
            boolean isOrdered,
            boolean drops,
            Map<Integer, Integer> takes,
            Map<Integer, Long> takenBytes,
            Map<Integer, Integer> carries,
            List<Output> outputs) {
        /** Returns the name with the kind: {@code task "read"}. */
        public String named() {
            return (kind == Kind.BOOKKEEPER ? "bookkeeper \"" : kind.distributes() ? "pipeline \"" : "task \"")
                    + name
                    + '"';
        }
    }

    /** The kinds of nodes. */
    public enum Kind {
        /** A task with a producer. */
        TASK,
        /** A task that begins without a producer. */
        START,
        /** A bookkeeper. */
        BOOKKEEPER,
        /** A distributor that sends items to the copies in turn. */
        IN_TURN,
        /** A distributor that sends each item to all copies. */
        TO_ALL,
        /** A distributor that sends each item to a copy of the user's choice. */
        TO_ONE,
        /** A distributor that sends each item to some copies of the user's choice, at least to one. */
        TO_SOME;

        /** Returns true for the distributor of a pipeline. */
        boolean distributes() {
            return this == IN_TURN || this == TO_ALL || this == TO_ONE || this == TO_SOME;
        }
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
     * @param scope the copies that the output is of
     */
    public record Output(
            int collects,
            int least,
            int most,
            Map<Integer, Integer> releases,
            int[] consumers,
            int[] slots,
            Scope scope) {}

    /**
     * The copies of a pipeline that an output is of.
     *
     * @param shared a number that is equal for the outputs of one rule that copies share; {@link #UNKNOWN} if the
     *     output has its own rule, or none
     * @param siblings the name of the edge between siblings that the output sends along; empty if it is none
     */
    public record Scope(int shared, String siblings) {
        /** The scope of an output that is in one copy. */
        public static final Scope OWN = new Scope(UNKNOWN, "");
    }

    /**
     * Returns the network with some of its memory edges, which get the numbers in {@code which}; the nodes keep theirs.
     * A rule that copies share, and whose items carry none of these buffers, may emit at any item of a copy, since the
     * items of the other copies count, too.
     */
    Network only(int[] which) {
        Map<Integer, Integer> numbers = new HashMap<>();
        for (int i = 0; i < which.length; i++) {
            numbers.put(which[i], i);
        }
        List<Node> fewer = new ArrayList<>();
        for (Node node : nodes) {
            List<Output> outputs = new ArrayList<>();
            for (Output out : node.outputs) {
                boolean isLoose = out.scope.shared >= 0 && out.collects > 1;
                outputs.add(new Output(
                        isLoose ? 1 : out.collects,
                        isLoose ? 0 : out.least,
                        out.most,
                        only(out.releases, numbers),
                        out.consumers,
                        Arrays.stream(out.slots)
                                .map(pool -> numbers.getOrDefault(pool, NONE))
                                .toArray(),
                        out.scope));
            }
            fewer.add(new Node(
                    node.name,
                    node.kind,
                    node.isOrdered,
                    node.drops,
                    only(node.takes, numbers),
                    only(node.takenBytes, numbers),
                    only(node.carries, numbers),
                    outputs));
        }
        List<PoolSize> those = Arrays.stream(which).mapToObj(pools::get).toList();
        return new Network(graph, fewer, inputs, those, circles);
    }

    private static <T> Map<Integer, T> only(Map<Integer, T> byPool, Map<Integer, Integer> numbers) {
        Map<Integer, T> fewer = new LinkedHashMap<>();
        byPool.forEach((pool, value) -> {
            Integer number = numbers.get(pool);
            if (number != null) {
                fewer.put(number, value);
            }
        });
        return fewer;
    }
}
