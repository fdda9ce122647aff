package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.FloatBlas;

/** The routines in single precision. */
final class NativeFloats extends FactorRoutines implements FloatBlas {
    NativeFloats(Functions functions, Layout layout) {
        super(functions, layout);
    }
}
