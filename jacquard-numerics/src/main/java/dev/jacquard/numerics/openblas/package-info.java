/**
 * OpenBLAS by foreign functions, wherever it was found, and the one that comes from Maven.
 *
 * <pre>
 *   jar --NativeCache--> user's folder --BundledLibrary--> symbols --+
 *   system's library, found by the back ends ----------------------- +--OpenBlasProvider--> Blas
 *
 *   routine --CheckedOperand--> OperandCopies: as it is, or copied --Function: plain or quick--> cblas_dgemm
 * </pre>
 *
 * <p>Besides the back ends this is the one place with native calls: the default must be there without them, and what
 * calls it serves the system's OpenBLAS too.
 *
 * <p>Imports: {@code numerics.blas}.
 */
@NullMarked
package dev.jacquard.numerics.openblas;

import org.jspecify.annotations.NullMarked;
