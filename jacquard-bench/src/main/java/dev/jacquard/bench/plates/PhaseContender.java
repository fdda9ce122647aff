package dev.jacquard.bench.plates;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.bench.workload.Workload.Contender;
import java.util.List;
import java.util.Map;

/** The parts that all contenders share: the plate, and the measurements that must come out. */
abstract sealed class PhaseContender extends Contender
        permits JacquardPhase, ForkJoinPhase, CompletableFuturePhase, BlockingQueuePhase, SequentialPhase {
    private final Tiles tiles;
    private final List<Measurement> expected;
    private final Clock clock;

    PhaseContender(String system, int workers, Tiles tiles, List<Measurement> expected, Clock clock) {
        super(system, workers);
        this.tiles = tiles;
        this.expected = List.copyOf(expected);
        this.clock = clock;
    }

    /** Measures all pairs; answers in the grid's order of pairs. */
    abstract List<Measurement> measureAll(Tiles plate) throws Exception;

    @Override
    public final Map<String, Double> round() throws Exception {
        long start = clock.nanoTime();
        List<Measurement> found = measureAll(tiles);
        double seconds = (clock.nanoTime() - start) / 1e9;
        verify(found.equals(expected), "a displacement");
        return Map.of(MAIN, seconds);
    }
}
