/**
 * Sparse matrices as values, and the files that they come in.
 *
 * <pre>
 *   file.mtx --MatrixMarket.read--> SparseMatrix --times, residual, normInfinity, forEach--> numbers
 * </pre>
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.numerics.sparse;

import org.jspecify.annotations.NullMarked;
