package dev.jacquard.drawing;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Links by the node they leave, for walks along them.
 *
 * <p>Threads: confined.
 */
final class LinkOrder {
    private static final byte NEW = 0;
    private static final byte ON_PATH = 1;
    private static final byte OVER = 2;

    private final List<LayeredLayout.Link> links;
    private final int[] offsets;
    /** Indices of links. */
    private final int[] out;

    LinkOrder(int nodes, List<LayeredLayout.Link> links) {
        this.links = links;
        this.offsets = new int[nodes + 1];
        this.out = new int[links.size()];
        for (LayeredLayout.Link link : links) {
            offsets[link.from() + 1]++;
        }
        for (int node = 0; node < nodes; node++) {
            offsets[node + 1] += offsets[node];
        }
        int[] next = offsets.clone();
        for (int link = 0; link < out.length; link++) {
            out[next[links.get(link).from()]++] = link;
        }
    }

    /** Depth first from each node: a link to a node that is on the path closes a cycle. */
    boolean[] backward() {
        int nodes = offsets.length - 1;
        boolean[] backward = new boolean[out.length];
        byte[] state = new byte[nodes];
        int[] next = offsets.clone();
        int[] path = new int[nodes];
        for (int root = 0; root < nodes; root++) {
            int length = 0;
            if (state[root] == NEW) {
                state[root] = ON_PATH;
                path[length++] = root;
            }
            while (length > 0) {
                int at = path[length - 1];
                if (next[at] == offsets[at + 1]) {
                    state[at] = OVER;
                    length--;
                    continue;
                }
                int link = out[next[at]++];
                int to = links.get(link).to();
                backward[link] = state[to] == ON_PATH;
                if (state[to] == NEW) {
                    state[to] = ON_PATH;
                    path[length++] = to;
                }
            }
        }
        return backward;
    }

    /** The most links that lead one after another to each node, backward ones aside. */
    int[] ranks(boolean[] backward) {
        int nodes = offsets.length - 1;
        int[] missing = new int[nodes];
        for (int link = 0; link < out.length; link++) {
            missing[links.get(link).to()] += backward[link] ? 0 : 1;
        }
        int[] queue = new int[nodes];
        int queued = 0;
        for (int node = 0; node < nodes; node++) {
            if (missing[node] == 0) {
                queue[queued++] = node;
            }
        }
        int[] rank = new int[nodes];
        for (int i = 0; i < queued; i++) {
            for (int at = offsets[queue[i]]; at < offsets[queue[i] + 1]; at++) {
                int to = links.get(out[at]).to();
                if (!backward[out[at]]) {
                    rank[to] = Math.max(rank[to], rank[queue[i]] + 1);
                    if (--missing[to] == 0) {
                        queue[queued++] = to;
                    }
                }
            }
        }
        return rank;
    }

    /**
     * Moves each node that no fewer links leave than reach to the last layer that its successors allow: that lengthens
     * no more links than it shortens. Nodes of later layers move first, so a chain moves as a whole.
     */
    void shorten(int[] rank, boolean[] backward) {
        int nodes = offsets.length - 1;
        int[] gain = new int[nodes];
        for (int link = 0; link < out.length; link++) {
            gain[links.get(link).from()] += backward[link] ? 0 : 1;
            gain[links.get(link).to()] -= backward[link] ? 0 : 1;
        }
        for (int node : byRank(rank).reversed()) {
            int first = Integer.MAX_VALUE;
            for (int at = offsets[node]; at < offsets[node + 1]; at++) {
                first = backward[out[at]]
                        ? first
                        : Math.min(first, rank[links.get(out[at]).to()]);
            }
            if (gain[node] >= 0 && first < Integer.MAX_VALUE) {
                rank[node] = first - 1;
            }
        }
    }

    private static List<Integer> byRank(int[] rank) {
        return IntStream.range(0, rank.length)
                .boxed()
                .sorted(Comparator.comparingInt(node -> rank[node]))
                .toList();
    }
}
