/** Numerical libraries that are installed on this machine: its OpenBLAS and its FFTW. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.libraries {
    requires static org.jspecify;
    requires dev.jacquard.base;
    requires transitive dev.jacquard.numerics;

    provides dev.jacquard.numerics.blas.BlasProvider with
            dev.jacquard.libraries.openblas.SystemLibrary.Provider;
    provides dev.jacquard.numerics.fft.FftProvider with
            dev.jacquard.libraries.fftw.FftwFft2d.Provider;
}
