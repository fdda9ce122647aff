/**
 * FFTW in single precision, called by {@code base.foreign} when this machine has it.
 *
 * <pre>
 *   float[] --bulk copy--> native image --fftwf_execute--> native spectrum --bulk copy--> float[]
 * </pre>
 *
 * <p>The library is loaded at run time and never bundled: it is GPL.
 *
 * <p>Imports: {@code base.foreign}, {@code numerics.fft}.
 */
@NullMarked
package dev.jacquard.libraries.fftw;

import org.jspecify.annotations.NullMarked;
