package dev.jacquard.apps.stitching;

/** The choice of the library that computes Fourier transforms. */
enum FftChoice {
    /** FFTW where it is installed, JTransforms elsewhere. */
    AUTO,
    JTRANSFORMS,
    FFTW
}
