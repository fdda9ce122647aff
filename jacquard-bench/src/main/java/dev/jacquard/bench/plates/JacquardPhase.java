package dev.jacquard.bench.plates;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.pairs.DisplacementGraph;
import dev.jacquard.base.clock.Clock;
import dev.jacquard.core.session.Session;
import java.util.List;

/** The application's own flow graph, with its pool of transforms. */
final class JacquardPhase extends PhaseContender {
    private final Session session;

    JacquardPhase(int workers, Tiles tiles, List<Measurement> expected, Clock clock) {
        super("jacquard", workers, tiles, expected, clock);
        this.session = Session.builder().workers(workers).open();
    }

    @Override
    List<Measurement> measureAll(Tiles plate) {
        int pool = Math.min(plate.smallestPool() + workers(), plate.headers().size());
        return new DisplacementGraph(
                        plate.headers(),
                        plate.grid(),
                        pool,
                        plate.smallestPool(),
                        plate.library(),
                        plate.prior(),
                        Tiles.PEAKS,
                        workers())
                .run(session, plate.order(), stop -> {}, () -> {})
                .measurements();
    }

    @Override
    public void close() {
        session.close();
    }
}
