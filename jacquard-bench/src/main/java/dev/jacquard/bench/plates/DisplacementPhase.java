package dev.jacquard.bench.plates;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Plan;
import dev.jacquard.bench.workload.Workload;
import dev.jacquard.numerics.fft.Ffts;
import java.util.ArrayList;
import java.util.List;

/** The first phase of stitching on 64 tiles: every pair's displacement, by several runtimes over the same numerics. */
final class DisplacementPhase extends Workload {
    DisplacementPhase() {
        super("stitching.64x512.displacements", "s", new Rounds(0, 1), new Rounds(60, 21));
    }

    /** One: after a collection each compiled method that a system uses is slow once, and systems have few or many. */
    @Override
    public int settling() {
        return 1;
    }

    /** A minute: code that runs a hundred times in a round is compiled to its end only after 50 to 130 rounds. */
    @Override
    public long patienceNanos() {
        return 60_000_000_000L;
    }

    @Override
    public List<Contender> contenders(Plan plan) throws Exception {
        PlateFolder plate = PlateFolder.of(plan);
        Tiles tiles = Tiles.of(plate, Ffts.byName("auto"));
        List<Measurement> expected = SequentialPhase.measure(tiles);
        Clock clock = plan.clock();
        List<Contender> contenders = new ArrayList<>();
        for (int workers : plan.workers()) {
            contenders.add(new JacquardPhase(workers, tiles, expected, clock));
            contenders.add(new ForkJoinPhase(workers, tiles, expected, clock));
            contenders.add(new CompletableFuturePhase(workers, tiles, expected, clock));
        }
        contenders.add(new BlockingQueuePhase(tiles, expected, clock));
        contenders.add(new SequentialPhase(plate, tiles, expected, clock));
        return contenders;
    }
}
