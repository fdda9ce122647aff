/** Jacquard's numerics. */
@org.jspecify.annotations.NullMarked
module dev.jacquard.numerics {
    requires static org.jspecify;
    requires JTransforms;
    requires JLargeArrays;

    exports dev.jacquard.numerics.fft;

    uses dev.jacquard.numerics.fft.FftProvider;

    provides dev.jacquard.numerics.fft.FftProvider with
            dev.jacquard.numerics.fft.JTransformsProvider;
}
