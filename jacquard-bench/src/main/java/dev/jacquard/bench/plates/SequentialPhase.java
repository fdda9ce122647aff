package dev.jacquard.bench.plates;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.Pair;
import dev.jacquard.core.clock.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One tile after the other, then one pair after the other. The last to be closed: it closes what all of them use. */
final class SequentialPhase extends PhaseContender {
    private final Kernels kernels;
    private final PlateFolder folder;

    SequentialPhase(Kernels kernels, PlateFolder folder, Tiles tiles, List<Measurement> expected, Clock clock) {
        super("sequential", 1, tiles, expected, clock);
        this.kernels = kernels;
        this.folder = folder;
    }

    @Override
    List<Measurement> measureAll(Tiles plate) {
        return measureAll(plate, kernels);
    }

    static List<Measurement> measureAll(Tiles plate, Kernels kernels) {
        List<Kernels.Spectrum> spectra = plate.headers().stream()
                .map(header -> kernels.transform(Kernels.read(header)))
                .toList();
        List<Measurement> found = new ArrayList<>();
        for (Pair pair : plate.grid().pairs()) {
            found.add(kernels.measure(pair, spectra.get(pair.from()), spectra.get(pair.to())));
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        kernels.close();
        folder.close();
    }
}
