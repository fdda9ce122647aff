/** Tests of the CUDA backend; what needs no device runs everywhere. */
@NullMarked
package dev.jacquard.backends.cuda;

import org.jspecify.annotations.NullMarked;
