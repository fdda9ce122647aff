package dev.jacquard.apps.stitching;

import dev.jacquard.apps.stitching.MosaicComposer.PlacedTile;
import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.Optimisation.Positions;
import dev.jacquard.apps.stitching.align.Pair;
import dev.jacquard.apps.stitching.align.Refinement.Verdict;
import dev.jacquard.apps.tiles.TilePosition;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A stitched plate: its tiles, the outcomes of their pairs, and where they lie.
 *
 * @param tiles row by row from the top left
 * @param verdicts one per pair of neighbours, in the grid's order of pairs
 * @param positions one per tile
 */
record Plate(TileGrid tiles, List<Verdict> verdicts, Positions positions) {
    String file(int tile) {
        return tiles.tiles().get(tile).file().getFileName().toString();
    }

    List<TilePosition> tilePositions() {
        return IntStream.range(0, tiles.tiles().size())
                .mapToObj(tile -> new TilePosition(
                        file(tile), positions.x()[tile], positions.y()[tile]))
                .toList();
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

    private Stream<Measurement> trusted() {
        return verdicts.stream().filter(Verdict::trusted).map(Verdict::measurement);
    }

    /** Per tile the best correlation of a trusted pair that it belongs to; 0 when there is none. */
    double[] correlations() {
        double[] best = new double[tiles.tiles().size()];
        trusted().forEach(measured -> {
            Pair pair = measured.pair();
            best[pair.from()] = Math.max(best[pair.from()], measured.correlation());
            best[pair.to()] = Math.max(best[pair.to()], measured.correlation());
        });
        return best;
    }

    /** Into how many groups the trusted pairs join the tiles; how groups lie to each other only the stage says. */
    int groups() {
        int[] leader = IntStream.range(0, tiles.tiles().size()).toArray();
        int groups = leader.length;
        for (Measurement measured : trusted().toList()) {
            int from = leader(leader, measured.pair().from());
            int to = leader(leader, measured.pair().to());
            if (from != to) {
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
        trusted().forEach(measured -> {
            held[measured.pair().from()] = true;
            held[measured.pair().to()] = true;
        });
        return IntStream.range(0, held.length)
                .filter(tile -> !held[tile] && held.length > 1)
                .boxed()
                .toList();
    }

    /**
     * {@code file,row,column,x,y,correlation}: one line per tile, row by row. Names with a comma or a quote are quoted
     * (RFC 4180).
     */
    void writePositions(Path file) throws IOException {
        double[] correlations = correlations();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("file,row,column,x,y,correlation\n");
            for (int tile = 0; tile < correlations.length; tile++) {
                out.write(String.format(
                        Locale.ROOT,
                        "%s,%d,%d,%d,%d,%.6f\n",
                        field(file(tile)),
                        tile / tiles.columns(),
                        tile % tiles.columns(),
                        positions.x()[tile],
                        positions.y()[tile],
                        correlations[tile]));
            }
        }
    }

    /** {@code from,to,dx,dy,correlation,trusted}: one line per pair of neighbours. */
    void writeDisplacements(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("from,to,dx,dy,correlation,trusted\n");
            for (Verdict verdict : verdicts) {
                Measurement measured = verdict.measurement();
                out.write(String.format(
                        Locale.ROOT,
                        "%s,%s,%d,%d,%.6f,%b\n",
                        field(file(measured.pair().from())),
                        field(file(measured.pair().to())),
                        measured.dx(),
                        measured.dy(),
                        measured.correlation(),
                        verdict.trusted()));
            }
        }
    }

    private static String field(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
