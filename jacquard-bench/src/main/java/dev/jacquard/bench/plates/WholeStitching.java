package dev.jacquard.bench.plates;

import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.Ffts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The application on 64 tiles: from the first read to the positions, and whole. No warm-up: the first run counts too.
 */
final class WholeStitching extends Workload {
    WholeStitching() {
        super("stitching.64x512", "s", new Rounds(0, 1), new Rounds(0, 5));
    }

    @Override
    public boolean tellsRepetitions() {
        return true;
    }

    @Override
    public List<Contender> contenders(Plan plan) throws Exception {
        List<Contender> contenders = new ArrayList<>();
        List<FftProvider> present = Ffts.providers().stream()
                .filter(library -> library.absence().isEmpty())
                .sorted(Comparator.comparingInt(FftProvider::rank))
                .toList();
        for (int workers : plan.workers()) {
            for (FftProvider library : present) {
                contenders.add(new StitchingRun(plan, workers, library.name()));
            }
        }
        return contenders;
    }
}
