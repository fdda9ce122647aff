package dev.jacquard.bench.plates;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Contender;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.bench.workload.Workload.Rounds;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.Ffts;
import java.util.ArrayList;
import java.util.List;

/** The first phase of stitching on 64 tiles: every pair's displacement, by several runtimes over the same numerics. */
final class DisplacementPhase extends Workload {
    DisplacementPhase() {
        super("stitching.64x512.displacements", "s", new Rounds(0, 2), new Rounds(2, 5));
    }

    @Override
    public List<Contender> contenders(Plan plan) throws Exception {
        PlateFolder plate = PlateFolder.of(plan);
        Tiles tiles = Tiles.of(plate);
        FftProvider library = Ffts.byName("auto");
        List<Measurement> expected = SequentialPhase.measureAll(tiles, library);
        Clock clock = plan.clock();
        List<Contender> contenders = new ArrayList<>();
        for (int workers : plan.workers()) {
            contenders.add(new JacquardPhase(workers, library, tiles, expected, clock));
            contenders.add(new ForkJoinPhase(workers, library, tiles, expected, clock));
            contenders.add(new CompletableFuturePhase(workers, library, tiles, expected, clock));
        }
        contenders.add(new BlockingQueuePhase(library, tiles, expected, clock));
        contenders.add(new SequentialPhase(library, plate, tiles, expected, clock));
        return contenders;
    }
}
