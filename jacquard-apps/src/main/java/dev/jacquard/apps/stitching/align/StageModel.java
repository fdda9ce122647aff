package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.stitching.align.Pair.Direction;
import java.util.List;

/** The movement of the stage, as far as the measurements tell. */
record StageModel(StagePrior prior, Steps west, Steps north) {
    /** Estimates both directions from the certain ones of {@code measurements}; their order does not matter. */
    static StageModel estimate(StagePrior prior, List<Measurement> measurements) {
        return new StageModel(
                prior,
                Steps.estimate(prior, Direction.WEST, measurements),
                Steps.estimate(prior, Direction.NORTH, measurements));
    }

    /** The steps of the stage in {@code direction}. */
    public Steps steps(Direction direction) {
        return direction == Direction.WEST ? west : north;
    }

    /**
     * The displacements that the stage allows in {@code direction}; all that neighbours can have when it is unknown.
     */
    Window window(Direction direction) {
        Steps steps = steps(direction);
        Window possible = prior.window(direction);
        return steps.known() ? possible.intersect(steps.window(prior.along(direction))) : possible;
    }

    /** Returns true if {@code measurement} agrees with a stage that is known in its direction. */
    boolean allows(Measurement measurement) {
        Direction direction = measurement.pair().direction();
        return steps(direction).known() && window(direction).contains(measurement.dx(), measurement.dy());
    }
}
