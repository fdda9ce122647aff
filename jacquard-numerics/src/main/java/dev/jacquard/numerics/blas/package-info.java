/**
 * Linear algebra on tiles: one interface, OpenBLAS from Maven as the default, system libraries through the back ends.
 *
 * <pre>
 *   Blases.open("auto") --> Blas --doubles(layout)--> BlasRoutines   arrays, segments --Operand.of--> Operand
 * </pre>
 *
 * <p>To add a library, implement {@link dev.jacquard.numerics.blas.BlasProvider} and name it under
 * {@code META-INF/services}; the contract suite of the back ends then runs for it. One that has the functions of
 * OpenBLAS needs no more than a way to find it: {@code numerics.openblas} calls them.
 *
 * <p>Imports: {@code base.service}, {@code numerics.provider}.
 */
@NullMarked
package dev.jacquard.numerics.blas;

import org.jspecify.annotations.NullMarked;
