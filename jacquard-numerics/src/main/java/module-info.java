/** Jacquard's numerics. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // jacquard-libraries is built later
module dev.jacquard.numerics {
    requires static org.jspecify;
    requires dev.jacquard.base;
    requires JTransforms;
    requires JLargeArrays;

    exports dev.jacquard.numerics.blas;
    exports dev.jacquard.numerics.fft;
    exports dev.jacquard.numerics.openblas to
            dev.jacquard.libraries;
    exports dev.jacquard.numerics.provider;
    exports dev.jacquard.numerics.sparse;

    uses dev.jacquard.numerics.blas.BlasProvider;
    uses dev.jacquard.numerics.fft.FftProvider;

    provides dev.jacquard.numerics.blas.BlasProvider with
            dev.jacquard.numerics.openblas.OpenBlasProvider.Bundled;
    provides dev.jacquard.numerics.fft.FftProvider with
            dev.jacquard.numerics.fft.JTransformsFft2d.Provider;
}
