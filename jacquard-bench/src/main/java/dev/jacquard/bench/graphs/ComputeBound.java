package dev.jacquard.bench.graphs;

import java.util.Optional;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Task Bench's kernel {@code compute_bound}: 16 vectors of 4 doubles, {@code A = A * A + A} per iteration, then their
 * dot product. A loop over an array of 64 doubles is not turned into this by the compiler; the Vector API says it as it
 * is.
 */
final class ComputeBound {
    /** 64 multiplications and 64 additions. */
    static final int FLOP_PER_ITERATION = 128;
    /** The dot product's, as Task Bench counts it. */
    static final int FLOP_AT_THE_END = 64;

    private static final String MODULE = "jdk.incubator.vector";
    private static final double START = 1.2345;

    private ComputeBound() {}

    /** The reason why it cannot be run in this process, if so. */
    static Optional<String> problem() {
        return ModuleLayer.boot().findModule(MODULE).isPresent()
                ? Optional.empty()
                : Optional.of("this JVM was started without --add-modules " + MODULE);
    }

    /** Computes, and answers a positive number, so that nothing is left out. */
    static double run(long iterations) {
        VectorSpecies<Double> species = DoubleVector.SPECIES_256;
        DoubleVector a0 = DoubleVector.broadcast(species, START);
        DoubleVector a1 = a0;
        DoubleVector a2 = a0;
        DoubleVector a3 = a0;
        DoubleVector a4 = a0;
        DoubleVector a5 = a0;
        DoubleVector a6 = a0;
        DoubleVector a7 = a0;
        DoubleVector a8 = a0;
        DoubleVector a9 = a0;
        DoubleVector a10 = a0;
        DoubleVector a11 = a0;
        DoubleVector a12 = a0;
        DoubleVector a13 = a0;
        DoubleVector a14 = a0;
        DoubleVector a15 = a0;
        for (long i = 0; i < iterations; i++) {
            a0 = a0.fma(a0, a0);
            a1 = a1.fma(a1, a1);
            a2 = a2.fma(a2, a2);
            a3 = a3.fma(a3, a3);
            a4 = a4.fma(a4, a4);
            a5 = a5.fma(a5, a5);
            a6 = a6.fma(a6, a6);
            a7 = a7.fma(a7, a7);
            a8 = a8.fma(a8, a8);
            a9 = a9.fma(a9, a9);
            a10 = a10.fma(a10, a10);
            a11 = a11.fma(a11, a11);
            a12 = a12.fma(a12, a12);
            a13 = a13.fma(a13, a13);
            a14 = a14.fma(a14, a14);
            a15 = a15.fma(a15, a15);
        }
        DoubleVector low = a0.mul(a0)
                .add(a1.mul(a1))
                .add(a2.mul(a2))
                .add(a3.mul(a3))
                .add(a4.mul(a4))
                .add(a5.mul(a5))
                .add(a6.mul(a6))
                .add(a7.mul(a7));
        DoubleVector high = a8.mul(a8)
                .add(a9.mul(a9))
                .add(a10.mul(a10))
                .add(a11.mul(a11))
                .add(a12.mul(a12))
                .add(a13.mul(a13))
                .add(a14.mul(a14))
                .add(a15.mul(a15));
        return low.add(high).reduceLanes(VectorOperators.ADD);
    }
}
