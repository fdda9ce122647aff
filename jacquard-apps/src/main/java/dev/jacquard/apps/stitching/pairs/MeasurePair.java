package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.Emitter;

/** Measures the displacement of a pair by phase correlation, and lets go of both tiles. */
final class MeasurePair implements Body<LoadedPair, Measurement> {
    private final Kernels kernels;

    MeasurePair(Kernels kernels) {
        this.kernels = kernels;
    }

    @Override
    public void execute(LoadedPair pair, Emitter<Measurement> out) {
        TileBuffer from = pair.from().buffer().value();
        TileBuffer to = pair.to().buffer().value();
        kernels.lend(kernel -> out.emit(
                kernel.aligner().measure(pair.pair(), from.image(), from.spectrum(), to.image(), to.spectrum())));
        out.release(pair.from().buffer());
        out.release(pair.to().buffer());
    }
}
