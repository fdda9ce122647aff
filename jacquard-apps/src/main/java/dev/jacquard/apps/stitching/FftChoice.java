package dev.jacquard.apps.stitching;

/** Which library computes Fourier transforms. */
enum FftChoice {
    /** FFTW where it is installed, JTransforms elsewhere. */
    AUTO,
    JTRANSFORMS,
    FFTW
}
