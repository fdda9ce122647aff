package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.stitching.align.Optimisation.Positions;
import dev.jacquard.apps.stitching.align.Refinement.Search;
import dev.jacquard.apps.stitching.align.Refinement.Verdict;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.Ffts;
import dev.jacquard.numerics.fft.RealFft2d;
import java.util.ArrayList;
import java.util.List;

/** All phases on one thread, one after the other: what the streaming application must agree with. */
record Stitcher(StagePrior prior, String fft, int peaks) {
    record Result(Refinement refinement, List<Verdict> verdicts, Positions positions) {}

    Result stitch(Plate plate, Optimisation optimisation) {
        return stitch(plate, optimisation, measure(plate));
    }

    Result stitch(Plate plate, Optimisation optimisation, List<Measurement> measurements) {
        Searcher searcher = new Searcher();
        Refinement refinement = optimisation.refinement(plate.grid(), prior, measurements);
        while (!refinement.searches().isEmpty()) {
            List<Measurement> found = new ArrayList<>();
            for (Search search : refinement.searches()) {
                GrayImage from = plate.tiles().get(search.pair().from());
                found.add(searcher.run(
                        search, from, plate.tiles().get(search.pair().to())));
            }
            refinement = refinement.next(found);
        }
        List<Verdict> verdicts = refinement.verdicts();
        Positions positions = optimisation.place(plate.grid(), refinement.model(), verdicts);
        return new Result(refinement, verdicts, positions);
    }

    /** Phase 1. */
    List<Measurement> measure(Plate plate) {
        FftProvider library = Ffts.byName(fft);
        try (RealFft2d transform = library.plan(prior.height(), prior.width());
                PairAligner aligner = new PairAligner(transform, library, prior, peaks)) {
            List<float[]> spectra = new ArrayList<>();
            TileTransform tiles = new TileTransform(transform);
            for (GrayImage tile : plate.tiles()) {
                float[] spectrum = new float[transform.spectrumLength()];
                tiles.transform(tile, spectrum);
                spectra.add(spectrum);
            }
            List<Measurement> measurements = new ArrayList<>();
            for (Pair pair : plate.grid().pairs()) {
                measurements.add(aligner.measure(
                        pair,
                        plate.tiles().get(pair.from()),
                        spectra.get(pair.from()),
                        plate.tiles().get(pair.to()),
                        spectra.get(pair.to())));
            }
            return measurements;
        }
    }
}
