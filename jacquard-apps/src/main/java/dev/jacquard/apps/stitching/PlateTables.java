package dev.jacquard.apps.stitching;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.Refinement.Verdict;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The tables of a stitched plate, as comma-separated values. File names with a comma or a quote are quoted (RFC 4180).
 */
final class PlateTables {
    private final Plate plate;

    PlateTables(Plate plate) {
        this.plate = plate;
    }

    /** {@code file,row,column,x,y,correlation}: one line per tile, row by row. */
    void writePositions(Path file) throws IOException {
        double[] correlations = plate.correlations();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("file,row,column,x,y,correlation\n");
            for (int tile = 0; tile < correlations.length; tile++) {
                out.write(String.format(
                        Locale.ROOT,
                        "%s,%d,%d,%d,%d,%.6f\n",
                        field(plate.file(tile)),
                        tile / plate.tiles().columns(),
                        tile % plate.tiles().columns(),
                        plate.positions().x()[tile],
                        plate.positions().y()[tile],
                        correlations[tile]));
            }
        }
    }

    /** {@code from,to,dx,dy,correlation,trusted}: one line per pair of neighbours. */
    void writeDisplacements(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("from,to,dx,dy,correlation,trusted\n");
            for (Verdict verdict : plate.verdicts()) {
                Measurement measured = verdict.measurement();
                out.write(String.format(
                        Locale.ROOT,
                        "%s,%s,%d,%d,%.6f,%b\n",
                        field(plate.file(measured.pair().from())),
                        field(plate.file(measured.pair().to())),
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
