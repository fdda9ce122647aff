package dev.jacquard.numerics.openblas;

import dev.jacquard.numerics.blas.DoubleBlas;
import dev.jacquard.numerics.blas.Layout;

/** The routines in double precision. */
final class NativeDoubles extends FactorRoutines implements DoubleBlas {
    NativeDoubles(Functions functions, Layout layout) {
        super(functions, layout);
    }
}
