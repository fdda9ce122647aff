/**
 * Components for systems of linear equations: {@code read-matrix}, {@code factorize}, {@code correct},
 * {@code residual}, {@code solve-linear}.
 *
 * <pre>
 *  ReadMatrix --matrix--> Factorize --factors--> Correct --x--> Residual --x, error-->
 *      |                   tasks: Factorizer        ^              |  ^
 *      +--matrix, rhs------------------------------|--------------|--+
 *                                                   +----again-----+  until the error is small
 * </pre>
 *
 * <p>Factors are dense, in panels of columns, of float or double; residuals are computed in twice the precision of
 * double, so that solutions become as exact as a double can be whatever the factors' precision.
 *
 * <p>Imports: {@code base.codec}, {@code cluster.communicator}, {@code components.component},
 * {@code components.program}, {@code core.graph}, {@code core.session}, {@code expressions.files}, {@code memory.data},
 * {@code numerics.blas}, {@code numerics.sparse}.
 */
@NullMarked
package dev.jacquard.apps.linear;

import org.jspecify.annotations.NullMarked;
