package dev.jacquard.apps.stitching;

import dev.jacquard.apps.stitching.MosaicComposer.PlacedTile;
import dev.jacquard.apps.stitching.align.Optimisation.Positions;
import dev.jacquard.apps.stitching.align.Refinement.Verdict;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A stitched plate: its tiles, what became of their pairs, and where they lie.
 *
 * @param tiles row by row from the top left
 * @param verdicts one per pair of neighbours, in the grid's order of pairs
 * @param positions one per tile
 */
record Plate(TileGrid tiles, List<Verdict> verdicts, Positions positions) {
    String file(int tile) {
        return tiles.tiles().get(tile).file().getFileName().toString();
    }

    List<Verdict> doubtful() {
        return verdicts.stream().filter(verdict -> !verdict.trusted()).toList();
    }

    List<PlacedTile> placed() {
        return IntStream.range(0, tiles.tiles().size())
                .mapToObj(tile -> new PlacedTile(
                        tile,
                        tile / tiles.columns(),
                        tile % tiles.columns(),
                        positions.x()[tile],
                        positions.y()[tile]))
                .toList();
    }

    /** Per tile the best correlation of a trusted pair that it belongs to; 0 when there is none. */
    double[] correlations() {
        double[] best = new double[tiles.tiles().size()];
        for (Verdict verdict : verdicts) {
            if (verdict.trusted()) {
                int from = verdict.measurement().pair().from();
                int to = verdict.measurement().pair().to();
                best[from] = Math.max(best[from], verdict.measurement().correlation());
                best[to] = Math.max(best[to], verdict.measurement().correlation());
            }
        }
        return best;
    }

    /** Into how many groups the trusted pairs join the tiles; how groups lie to each other only the stage says. */
    int groups() {
        int[] leader = IntStream.range(0, tiles.tiles().size()).toArray();
        int groups = leader.length;
        for (Verdict verdict : verdicts) {
            int from = leader(leader, verdict.measurement().pair().from());
            int to = leader(leader, verdict.measurement().pair().to());
            if (verdict.trusted() && from != to) {
                leader[to] = from;
                groups--;
            }
        }
        return groups;
    }

    private static int leader(int[] leader, int tile) {
        int at = tile;
        while (leader[at] != at) {
            leader[at] = leader[leader[at]];
            at = leader[at];
        }
        return at;
    }

    /** Tiles that no trusted pair holds: they lie where the stage would have put them. */
    List<Integer> unheld() {
        boolean[] held = new boolean[tiles.tiles().size()];
        for (Verdict verdict : verdicts) {
            if (verdict.trusted()) {
                held[verdict.measurement().pair().from()] = true;
                held[verdict.measurement().pair().to()] = true;
            }
        }
        return IntStream.range(0, held.length)
                .filter(tile -> !held[tile] && held.length > 1)
                .boxed()
                .toList();
    }
}
