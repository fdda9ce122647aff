package dev.jacquard.apps.linear;

import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Makes {@code examples/data/grid-20x20.mtx}: the conductance matrix of a square grid of resistors from 1 mS to 1 kS,
 * with each node leaking a little to the ground, so that it is symmetric and positive definite.
 */
final class GridMatrix {
    private GridMatrix() {}

    /** Returns a MatrixMarket file for a grid of {@code side} x {@code side} nodes. */
    static String text(int side, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int nodes = side * side;
        double[] diagonal = new double[nodes];
        StringBuilder below = new StringBuilder();
        int count = 0;
        for (int node = 0; node < nodes; node++) {
            diagonal[node] += 1e-3;
            for (int other : new int[] {node % side < side - 1 ? node + 1 : -1, node + side}) {
                if (other < 0 || other >= nodes) {
                    continue;
                }
                double conductance = Math.rint(1e3 * StrictMath.pow(10, random.nextDouble(-3, 3))) / 1e3;
                diagonal[node] += conductance;
                diagonal[other] += conductance;
                below.append(String.format(Locale.ROOT, "%d %d %.3f%n", other + 1, node + 1, -conductance));
                count++;
            }
        }
        for (int node = 0; node < nodes; node++) {
            below.append(String.format(Locale.ROOT, "%d %d %.3f%n", node + 1, node + 1, diagonal[node]));
        }
        return String.format(
                Locale.ROOT,
                "%%%%MatrixMarket matrix coordinate real symmetric%n"
                        + "%% Conductances, in S, of a grid of %d x %d resistors, made by the class GridMatrix of the"
                        + " tests of jacquard-apps, seed %d.%n%d %d %d%n%s",
                side,
                side,
                seed,
                nodes,
                nodes,
                count + nodes,
                below);
    }
}
