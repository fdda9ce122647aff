package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.stitching.align.PairAligner;
import dev.jacquard.apps.stitching.align.StagePrior;
import dev.jacquard.apps.stitching.align.TileTransform;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.RealFft2d;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/**
 * The numerics of a plate: planned transforms, and the scratch memory of what is done with them. Each is lent to one
 * call at a time, first the one that came back last, whose memory is most likely in a cache. So there are no more of
 * them than calls at a time, whatever the stages.
 *
 * <p>Threads: any. To be closed behind the last call.
 */
final class Kernels implements AutoCloseable {
    private final FftProvider library;
    private final StagePrior prior;
    private final int peaks;
    private final Deque<Kernel> free = new ConcurrentLinkedDeque<>();

    /**
     * None yet.
     *
     * @param library makes the transforms
     * @param prior what is known of the stage
     * @param peaks how many peaks of a correlation are read
     */
    Kernels(FftProvider library, StagePrior prior, int peaks) {
        this.library = library;
        this.prior = prior;
        this.peaks = peaks;
    }

    /** A transform of tiles of one size, and what is done with it. Confined to a call. */
    static final class Kernel {
        private final RealFft2d fft;
        private final TileTransform transform;
        private final PairAligner aligner;

        private Kernel(RealFft2d fft, StagePrior prior, int peaks) {
            this.fft = fft;
            this.transform = new TileTransform(fft);
            this.aligner = new PairAligner(fft, prior, peaks);
        }

        TileTransform transform() {
            return transform;
        }

        PairAligner aligner() {
            return aligner;
        }
    }

    /** Lends {@code call} a kernel, until it returns. */
    void lend(Consumer<Kernel> call) {
        Kernel kernel = free.pollFirst();
        if (kernel == null) {
            kernel = new Kernel(library.plan(prior.height(), prior.width()), prior, peaks);
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
            kernel.fft.close();
        }
    }
}
