package dev.jacquard.cluster.message;

import dev.jacquard.cluster.communicator.Elements;
import dev.jacquard.cluster.communicator.Reduction;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * The reduction of neighbouring blocks in a binary tree over their numbers: nodes of level 0 are blocks, and a node of
 * level <i>l</i> with the number <i>i</i> is the reduction of the blocks from <i>i</i> 2<sup>l</sup> to (<i>i</i>+1)
 * 2<sup>l</sup> - 1, of its left half with its right one. A range of blocks is a list of the largest nodes within it;
 * lists of neighbouring ranges are joined, whatever ranks they come from, and nodes become one as soon as both halves
 * are there. At the end the nodes that are left are combined from the left to the right. So the order of operations
 * depends on the number of blocks alone.
 *
 * <p>Confined to a thread.
 */
final class BlockTree {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    /** The bytes of a node's level and number in a message. */
    private static final int HEAD = Integer.BYTES + Long.BYTES;

    private final ValueLayout type;
    private final long bytes;
    private final Reduction with;
    private final List<Node> nodes = new ArrayList<>();

    private record Node(int level, long number, MemorySegment values) {}

    /**
     * A range without blocks.
     *
     * @param bytes of a block
     */
    BlockTree(ValueLayout type, long bytes, Reduction with) {
        this.type = type;
        this.bytes = bytes;
        this.with = with;
    }

    /**
     * Adds the block that follows.
     *
     * @param values copied
     */
    void add(long number, MemorySegment values) {
        MemorySegment copy = Buffers.allocate(bytes);
        MemorySegment.copy(values, 0, copy, 0, bytes);
        push(new Node(0, number, copy));
    }

    private void push(Node added) {
        Node right = added;
        while (!nodes.isEmpty()) {
            Node left = nodes.getLast();
            if (left.level != right.level || (left.number & 1) != 0) {
                break;
            }
            nodes.removeLast();
            with.combine(Elements.of(left.values, type), right.values);
            right = new Node(left.level + 1, left.number >> 1, left.values);
        }
        nodes.add(right);
    }

    /** Returns the nodes as a message. */
    MemorySegment toMessage() {
        MemorySegment all = Buffers.allocate(nodes.size() * (HEAD + bytes));
        long at = 0;
        for (Node each : nodes) {
            all.set(INT, at, each.level);
            all.set(LONG, at + Integer.BYTES, each.number);
            MemorySegment.copy(each.values, 0, all, at + HEAD, bytes);
            at += HEAD + bytes;
        }
        return all;
    }

    /** Returns true if a message can be one of nodes of this size. */
    boolean takes(long messageBytes) {
        return messageBytes % (HEAD + bytes) == 0;
    }

    /** Adds the nodes of the range that follows. */
    void addMessage(MemorySegment all) {
        for (long at = 0; at < all.byteSize(); at += HEAD + bytes) {
            push(new Node(all.get(INT, at), all.get(LONG, at + Integer.BYTES), all.asSlice(at + HEAD, bytes)));
        }
    }

    /** Writes the reduction of all blocks, numbered from 0 on. */
    void finish(Elements into) {
        MemorySegment result = nodes.getFirst().values;
        for (Node each : nodes.subList(1, nodes.size())) {
            with.combine(Elements.of(result, type), each.values);
        }
        into.fill(result);
    }
}
