package dev.jacquard.bench.plates;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.Pair;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.numerics.fft.FftProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One tile after the other, then one pair after the other. The last to be closed: it takes the plate away. */
final class SequentialPhase extends PhaseContender {
    private final FftProvider library;
    private final PlateFolder folder;

    SequentialPhase(FftProvider library, PlateFolder folder, Tiles tiles, List<Measurement> expected, Clock clock) {
        super("sequential", 1, tiles, expected, clock);
        this.library = library;
        this.folder = folder;
    }

    @Override
    List<Measurement> measureAll(Tiles plate) {
        return measureAll(plate, library);
    }

    static List<Measurement> measureAll(Tiles plate, FftProvider library) {
        try (Kernels kernels = new Kernels(library, plate.prior())) {
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
