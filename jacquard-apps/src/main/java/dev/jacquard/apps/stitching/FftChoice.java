package dev.jacquard.apps.stitching;

/** Which library computes Fourier transforms. */
public enum FftChoice {
    /** FFTW where it is installed, JTransforms elsewhere. */
    AUTO,
    JTRANSFORMS,
    FFTW
}
