package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.PairAligner;
import dev.jacquard.apps.stitching.align.StagePrior;
import dev.jacquard.apps.stitching.align.TileTransform;
import dev.jacquard.apps.stitching.pairs.PairsRule.LoadedPair;
import dev.jacquard.flow.task.Emitter;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.RealFft2d;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/**
 * The numerics of a plate: planned transforms, and the scratch memory of their users. Each is lent to one call at a
 * time, first the one that came back last: its memory is most likely in a cache. So there are no more of them than
 * calls at a time, whatever the stages.
 *
 * <p>Threads: any. To be closed after the last call.
 */
final class Kernels implements AutoCloseable {
    private final FftProvider library;
    private final StagePrior prior;
    private final int peaks;
    private final Deque<Kernel> free = new ConcurrentLinkedDeque<>();

    /** Creates an empty store; {@link DisplacementGraph} explains the parameters. */
    Kernels(FftProvider library, StagePrior prior, int peaks) {
        this.library = library;
        this.prior = prior;
        this.peaks = peaks;
    }

    /** A transform of tiles of one size, and its users. Confined to a call. */
    private record Kernel(RealFft2d fft, TileTransform transform, PairAligner aligner) {}

    /** Returns the bytes of a kernel's arrays: the image, and the aligner's arrays. */
    static long bytes(StagePrior prior) {
        return Float.BYTES * (long) prior.height() * prior.width() + PairAligner.bytes(prior);
    }

    /** Computes the Fourier transform of a tile, and passes the tile on. */
    void transform(LoadedTile tile, Emitter<LoadedTile> out) {
        TileBuffer buffer = tile.buffer().value();
        lend(kernel -> kernel.transform.transform(buffer.image(), buffer.spectrum()));
        out.emit(tile);
    }

    /** Measures the displacement of a pair by phase correlation, and lets go of both tiles. */
    void measure(LoadedPair pair, Emitter<Measurement> out) {
        TileBuffer from = pair.from().buffer().value();
        TileBuffer to = pair.to().buffer().value();
        lend(kernel -> out.emit(
                kernel.aligner.measure(pair.pair(), from.image(), from.spectrum(), to.image(), to.spectrum())));
        out.release(pair.from().buffer());
        out.release(pair.to().buffer());
    }

    /** Lends {@code call} a kernel, until it returns. */
    private void lend(Consumer<Kernel> call) {
        Kernel kernel = free.pollFirst();
        if (kernel == null) {
            RealFft2d fft = library.plan(prior.height(), prior.width());
            kernel = new Kernel(fft, new TileTransform(fft), new PairAligner(fft, library, prior, peaks));
        }
        try {
            call.accept(kernel);
        } finally {
            free.addFirst(kernel);
        }
    }

    @Override
    public void close() {
        for (Kernel kernel = free.poll(); kernel != null; kernel = free.poll()) {
            kernel.aligner.close();
            kernel.fft.close();
        }
    }
}
