package dev.jacquard.bench.plates;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.Pair;
import dev.jacquard.base.clock.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One tile after the other, then one pair after the other. The last to be closed: it takes the plate away. */
final class SequentialPhase extends PhaseContender {
    private final PlateFolder folder;

    SequentialPhase(PlateFolder folder, Tiles tiles, List<Measurement> expected, Clock clock) {
        super("sequential", 1, tiles, expected, clock);
        this.folder = folder;
    }

    @Override
    List<Measurement> measureAll(Tiles plate) {
        return measure(plate);
    }

    static List<Measurement> measure(Tiles plate) {
        try (Kernels kernels = plate.kernels()) {
            List<Kernels.Spectrum> spectra = plate.headers().stream()
                    .map(header -> kernels.transform(Kernels.read(header)))
                    .toList();
            List<Measurement> found = new ArrayList<>();
            for (Pair pair : plate.grid().pairs()) {
                found.add(kernels.measure(pair, spectra.get(pair.from()), spectra.get(pair.to())));
            }
            return found;
        }
    }

    @Override
    public void close() throws IOException {
        folder.close();
    }
}
