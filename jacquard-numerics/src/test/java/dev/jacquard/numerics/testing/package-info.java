/** The contracts of BLAS and FFT libraries, which tests of this and other modules extend (the test-jar). */
@NullMarked
package dev.jacquard.numerics.testing;

import org.jspecify.annotations.NullMarked;
