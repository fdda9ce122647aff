/**
 * OpenBLAS by foreign functions, wherever it was found, and the one that comes from Maven.
 *
 * <pre>
 *   jar --NativeCache--> user's folder --BundledLibrary--> library --+
 *   system's library, found by the back ends ----------------------- +--OpenBlasProvider--> Blas
 *
 *   routine --CheckedOperand--> OperandCopies: as it is, or copied --Routines: plain or quick--> cblas_dgemm
 * </pre>
 *
 * <p>The default must be there without the back ends, and its calls serve the system's OpenBLAS too.
 *
 * <p>Imports: {@code base.foreign}, {@code base.machine}, {@code numerics.blas}.
 */
@NullMarked
package dev.jacquard.numerics.openblas;

import org.jspecify.annotations.NullMarked;
