/** Jacquard's backends. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.backends {
    requires static org.jspecify;
    requires dev.jacquard.core;
    requires dev.jacquard.numerics;

    provides dev.jacquard.numerics.blas.BlasProvider with
            dev.jacquard.backends.openblas.SystemProvider;
    provides dev.jacquard.numerics.fft.FftProvider with
            dev.jacquard.backends.fftw.FftwProvider;
}
