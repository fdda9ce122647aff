package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.PairAligner;
import dev.jacquard.apps.stitching.align.StagePrior;
import dev.jacquard.flow.task.Body;
import dev.jacquard.flow.task.CopyInfo;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.RealFft2d;
import org.jspecify.annotations.Nullable;

/** Measures the displacement of a pair by phase correlation, and lets go of both tiles. */
final class MeasurePair implements Body<LoadedPair, Measurement> {
    private final FftProvider library;
    private final StagePrior prior;
    private final int peaks;
    private @Nullable RealFft2d fft;
    private @Nullable PairAligner aligner;

    MeasurePair(FftProvider library, StagePrior prior, int peaks) {
        this.library = library;
        this.prior = prior;
        this.peaks = peaks;
    }

    @Override
    public void initialize(CopyInfo copy) {
        fft = library.plan(prior.height(), prior.width());
        aligner = new PairAligner(fft, prior, peaks);
    }

    @Override
    @SuppressWarnings("NullAway") // initialize came first
    public void execute(LoadedPair pair, Emitter<Measurement> out) {
        TileBuffer from = pair.from().buffer().value();
        TileBuffer to = pair.to().buffer().value();
        out.emit(aligner.measure(pair.pair(), from.image(), from.spectrum(), to.image(), to.spectrum()));
        out.release(pair.from().buffer());
        out.release(pair.to().buffer());
    }

    @Override
    public void shutdown(Emitter<Measurement> out) {
        if (fft != null) {
            fft.close();
        }
    }
}
