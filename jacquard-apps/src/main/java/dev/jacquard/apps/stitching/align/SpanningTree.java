package dev.jacquard.apps.stitching.align;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The maximum spanning tree of the links (Kruskal 1956), and the positions along it. */
final class SpanningTree {
    private SpanningTree() {}

    /** The x and the y of every tile, the first at 0, 0. Among equal weights the earlier link wins. */
    static double[][] positions(int tiles, List<WeightedPair> links) {
        List<WeightedPair> best = new ArrayList<>(links);
        best.sort(Comparator.comparingDouble(WeightedPair::weight).reversed());
        int[] parent = new int[tiles];
        List<List<WeightedPair>> branches = new ArrayList<>();
        for (int tile = 0; tile < tiles; tile++) {
            parent[tile] = tile;
            branches.add(new ArrayList<>());
        }
        for (WeightedPair link : best) {
            int a = root(parent, link.from());
            int b = root(parent, link.to());
            if (a != b) {
                parent[Math.max(a, b)] = Math.min(a, b);
                branches.get(link.from()).add(link);
                branches.get(link.to()).add(link);
            }
        }
        return walk(branches);
    }

    private static int root(int[] parent, int tile) {
        int at = tile;
        while (parent[at] != at) {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        return at;
    }

    private static double[][] walk(List<List<WeightedPair>> branches) {
        int tiles = branches.size();
        double[] x = new double[tiles];
        double[] y = new double[tiles];
        boolean[] seen = new boolean[tiles];
        int[] queue = new int[tiles];
        int queued = 1;
        seen[0] = true;
        for (int i = 0; i < queued; i++) {
            int tile = queue[i];
            for (WeightedPair link : branches.get(tile)) {
                boolean ahead = link.from() == tile;
                int other = ahead ? link.to() : link.from();
                if (!seen[other]) {
                    seen[other] = true;
                    x[other] = x[tile] + (ahead ? link.dx() : -link.dx());
                    y[other] = y[tile] + (ahead ? link.dy() : -link.dy());
                    queue[queued++] = other;
                }
            }
        }
        return new double[][] {x, y};
    }
}
