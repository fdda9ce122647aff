package dev.jacquard.bench.plates;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.image.TiffHeader;
import dev.jacquard.apps.image.TiffReader;
import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.apps.stitching.align.Pair;
import dev.jacquard.apps.stitching.align.PairAligner;
import dev.jacquard.apps.stitching.align.StagePrior;
import dev.jacquard.apps.stitching.align.TileTransform;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.RealFft2d;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The steps of the first phase for rivals: the numerics that Jacquard's flow graph uses too. Scratch memory and planned
 * transforms are lent to one call at a time, and kept for the next one of a round. Thread-safe.
 */
final class Kernels implements AutoCloseable {
    private final FftProvider library;
    private final StagePrior prior;
    private final Queue<Kernel> free = new ConcurrentLinkedQueue<>();

    Kernels(FftProvider library, StagePrior prior) {
        this.library = library;
        this.prior = prior;
    }

    /** A tile and its transform. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Spectrum(GrayImage image, float[] values) {}

    static GrayImage read(TiffHeader tile) {
        try {
            return TiffReader.read(tile);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Spectrum transform(GrayImage image) {
        Kernel kernel = borrow();
        float[] spectrum = new float[kernel.fft.spectrumLength()];
        kernel.transform.transform(image, spectrum);
        free.add(kernel);
        return new Spectrum(image, spectrum);
    }

    Measurement measure(Pair pair, Spectrum from, Spectrum to) {
        Kernel kernel = borrow();
        Measurement found = kernel.aligner.measure(pair, from.image(), from.values(), to.image(), to.values());
        free.add(kernel);
        return found;
    }

    private Kernel borrow() {
        Kernel kernel = free.poll();
        return kernel == null ? new Kernel(library, prior) : kernel;
    }

    @Override
    public void close() {
        for (Kernel kernel = free.poll(); kernel != null; kernel = free.poll()) {
            kernel.aligner.close();
            kernel.fft.close();
        }
    }

    private static final class Kernel {
        private final RealFft2d fft;
        private final TileTransform transform;
        private final PairAligner aligner;

        Kernel(FftProvider library, StagePrior prior) {
            this.fft = library.plan(prior.height(), prior.width());
            this.transform = new TileTransform(fft);
            this.aligner = new PairAligner(fft, library, prior, Tiles.PEAKS);
        }
    }
}
