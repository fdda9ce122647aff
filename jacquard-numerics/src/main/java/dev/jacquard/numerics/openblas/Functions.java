package dev.jacquard.numerics.openblas;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;

/**
 * The functions of OpenBLAS in one precision that are called: those that every build of it has. CBLAS for BLAS; for
 * LAPACK the Fortran functions, since Debian's build has no LAPACKE. Integers have 32 bits.
 */
final class Functions {
    /** The precision: {@code JAVA_DOUBLE} or {@code JAVA_FLOAT}. */
    final ValueLayout element;
    /** Loops in place of functions of the library. */
    final ElementLoops loops;
    /** Memory for copies of pieces that are not aligned. */
    final AlignedPieces pieces;

    final Function axpy;
    final Function dot;
    final Function scal;
    final Function copy;
    final Function swap;
    final Function nrm2;
    final Function asum;
    final Function gemv;
    final Function ger;
    final Function gemm;
    final Function syrk;
    final Function trsm;
    final Function trmm;
    final Function omatcopy;
    final Function getrf;
    final Function potrf;

    private final SymbolLookup symbols;

    Functions(SymbolLookup symbols, ValueLayout element) {
        this.symbols = symbols;
        this.element = element;
        this.loops = element.equals(JAVA_DOUBLE) ? ElementLoops.DOUBLES : ElementLoops.FLOATS;
        this.pieces = new AlignedPieces(element.byteSize());
        ValueLayout e = element;
        axpy = blas("axpy", JAVA_INT, e, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
        dot = reduction("dot", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
        scal = blas("scal", JAVA_INT, e, ADDRESS, JAVA_INT);
        copy = blas("copy", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
        swap = blas("swap", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
        nrm2 = reduction("nrm2", JAVA_INT, ADDRESS, JAVA_INT);
        asum = reduction("asum", JAVA_INT, ADDRESS, JAVA_INT);
        gemv = blas(
                "gemv", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, e, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, e, ADDRESS,
                JAVA_INT);
        ger = blas("ger", JAVA_INT, JAVA_INT, JAVA_INT, e, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
        gemm = blas(
                "gemm", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, e, ADDRESS, JAVA_INT, ADDRESS,
                JAVA_INT, e, ADDRESS, JAVA_INT);
        syrk = blas(
                "syrk", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, e, ADDRESS, JAVA_INT, e, ADDRESS, JAVA_INT);
        trsm = triangular("trsm", e);
        trmm = triangular("trmm", e);
        omatcopy = blas("omatcopy", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, e, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
        getrf = lapack("getrf", ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
        potrf = lapack("potrf", ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    }

    private Function triangular(String name, ValueLayout e) {
        return blas(
                name, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, e, ADDRESS, JAVA_INT,
                ADDRESS, JAVA_INT);
    }

    private Function blas(String name, MemoryLayout... parameters) {
        return Function.bind(symbols, "cblas_" + letter() + name, FunctionDescriptor.ofVoid(parameters));
    }

    private Function reduction(String name, MemoryLayout... parameters) {
        return Function.bind(symbols, "cblas_" + letter() + name, FunctionDescriptor.of(element, parameters));
    }

    private Function lapack(String name, MemoryLayout... parameters) {
        return Function.bind(symbols, letter() + name + "_", FunctionDescriptor.ofVoid(parameters));
    }

    private String letter() {
        return element.equals(JAVA_DOUBLE) ? "d" : "s";
    }
}
