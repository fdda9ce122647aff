package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.Blas.Layout;
import dev.jacquard.numerics.blas.DoubleBlas;

/** The routines in double precision. */
final class NativeDoubles extends FactorRoutines implements DoubleBlas {
    NativeDoubles(Functions functions, Layout layout) {
        super(functions, layout);
    }
}
