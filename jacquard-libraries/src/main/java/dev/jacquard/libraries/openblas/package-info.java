/**
 * The OpenBLAS that is installed on this machine.
 *
 * <pre>
 *   folders and names --SystemLibrary--> file --CoreType: right kernels for this processor--> library
 *   library --OpenBlasProvider--> Blas
 * </pre>
 *
 * <p>Imports: {@code base.foreign}, {@code numerics.openblas}.
 */
@NullMarked
package dev.jacquard.libraries.openblas;

import org.jspecify.annotations.NullMarked;
