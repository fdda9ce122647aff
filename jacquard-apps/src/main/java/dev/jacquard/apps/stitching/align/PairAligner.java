package dev.jacquard.apps.stitching.align;

import dev.jacquard.apps.image.GrayImage;
import dev.jacquard.apps.stitching.align.Pair.Direction;
import dev.jacquard.numerics.fft.FftProvider;
import dev.jacquard.numerics.fft.RealFft2d;
import java.util.EnumMap;
import java.util.Map;

/**
 * Phase 1: measures the displacement of a pair by phase correlation.
 *
 * <p>The correlation surface peaks at the displacement modulo the size of a tile. So each of its largest peaks has four
 * readings, {@code dx} or {@code dx - width} and {@code dy} or {@code dy - height}; readings that neighbours can have
 * are tested by their cross-correlation factor, and the best one wins (Blattner's thesis, section 6.4).
 *
 * <p>The factors of the whole window, by {@link WindowCorrelation}, show whether the pair fits elsewhere as well.
 *
 * <p>Owns its scratch memory and the transforms of windows, borrows that of tiles: all are confined to one thread. The
 * result depends on the arguments only.
 */
public final class PairAligner implements AutoCloseable {
    /** Readings are compared on about this many pixels. */
    private static final int BUDGET = 16_000;

    /** Noise and distortion move a peak by a pixel or two. */
    private static final int CLIMB = 4;

    private final RealFft2d fft;
    private final StagePrior prior;
    private final int peakCount;
    private final float[] product;
    private final float[] surface;
    private final Peaks peaks;
    private final FftProvider library;
    private final Map<Direction, WindowCorrelation> windows = new EnumMap<>(Direction.class);
    private final Climb climb = new Climb(Evidence.BUDGET);
    private final Evidence evidence = new Evidence();
    private final Surface factors = new Surface();
    private final Rivals rivals = new Rivals(evidence);

    /**
     * An aligner of tiles as {@code prior} and {@code fft} say.
     *
     * @param library plans the transforms of windows
     * @param peakCount how many peaks are read, at least 1
     */
    public PairAligner(RealFft2d fft, FftProvider library, StagePrior prior, int peakCount) {
        if (fft.columns() != prior.width() || fft.rows() != prior.height()) {
            throw new IllegalArgumentException("tiles of " + prior.width() + " x " + prior.height()
                    + " pixels need a transform of that size, not " + fft.columns() + " x " + fft.rows());
        }
        if (peakCount < 1) {
            throw new IllegalArgumentException("peaks must be at least 1, not " + peakCount);
        }
        this.fft = fft;
        this.library = library;
        this.prior = prior;
        this.peakCount = peakCount;
        this.product = new float[fft.spectrumLength()];
        this.surface = new float[fft.imageLength()];
        this.peaks = new Peaks(prior.width(), prior.height());
    }

    /** Measures {@code pair} from the images of its tiles and their transforms. Only reads its arguments. */
    public Measurement measure(Pair pair, GrayImage from, float[] fromSpectrum, GrayImage to, float[] toSpectrum) {
        correlate(fromSpectrum, toSpectrum);
        return read(pair, from, to);
    }

    /** Leaves the correlation surface of two transforms, for {@link #read}. */
    void correlate(float[] fromSpectrum, float[] toSpectrum) {
        PhaseCorrelation.normalise(fromSpectrum, toSpectrum, product);
        fft.inverse(product, surface);
    }

    /** Reads the correlation surface. */
    Measurement read(Pair pair, GrayImage from, GrayImage to) {
        Window window = prior.window(pair.direction());
        int bestDx = 0;
        int bestDy = 0;
        double best = Double.NEGATIVE_INFINITY;
        peaks.start(surface, window);
        for (int i = 0; i < peakCount; i++) {
            int peak = peaks.next(surface, window);
            for (int reading = 0; peak >= 0 && reading < 4; reading++) {
                int dx = peak % prior.width() - (reading % 2 == 0 ? 0 : prior.width());
                int dy = peak / prior.width() - (reading < 2 ? 0 : prior.height());
                double factor = window.contains(dx, dy) ? factor(from, to, dx, dy) : Double.NaN;
                if (factor > best) {
                    best = factor;
                    bestDx = dx;
                    bestDy = dy;
                }
            }
        }
        if (best == Double.NEGATIVE_INFINITY) {
            return nothing(pair);
        }
        climb.start(from, to, bestDx, bestDy, window, CLIMB);
        windows.computeIfAbsent(pair.direction(), direction -> new WindowCorrelation(library, prior, direction))
                .run(from, to, factors);
        rivals.judge(factors, from, to, window, climb.dx(), climb.dy());
        return evidence.measurement(pair, from, to, climb.dx(), climb.dy(), rivals.strongest(), rivals.doubt());
    }

    /** Returns the bytes of the arrays of an aligner. */
    public static long bytes(StagePrior prior) {
        long tile = Float.BYTES * (prior.height() * (prior.width() + 2L * (prior.width() / 2 + 1)));
        return tile + WindowCorrelation.bytes(prior, Direction.WEST) + WindowCorrelation.bytes(prior, Direction.NORTH);
    }

    @Override
    public void close() {
        windows.values().forEach(WindowCorrelation::close);
    }

    private Measurement nothing(Pair pair) {
        int step = prior.step(pair.direction());
        return pair.direction() == Direction.WEST ? Measurement.none(pair, step, 0) : Measurement.none(pair, 0, step);
    }

    private static double factor(GrayImage from, GrayImage to, int dx, int dy) {
        long shared = CrossCorrelation.sharedPixels(from, dx, dy);
        int rowStep = CrossCorrelation.rowStep(shared, BUDGET);
        return CrossCorrelation.comparable(CrossCorrelation.factor(from, to, dx, dy, rowStep), shared);
    }
}
