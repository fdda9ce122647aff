/**
 * Fourier transforms of real images: one interface, the default from Maven, system libraries through the back ends.
 *
 * <pre>
 *   image  rows x columns floats  --forward-->  spectrum  rows x (columns/2 + 1) complex, interleaved
 *          (times rows * columns) &lt;--inverse--
 * </pre>
 *
 * <p>To add a library, implement {@link dev.jacquard.numerics.fft.FftProvider} and name it under
 * {@code META-INF/services}; the contract suite of the back ends then runs for it.
 *
 * <p>Imports: {@code base.service}, {@code numerics.provider}.
 */
@NullMarked
package dev.jacquard.numerics.fft;

import org.jspecify.annotations.NullMarked;
