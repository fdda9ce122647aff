/** Programs in sessions that have devices of several kinds. */
@NullMarked
package dev.jacquard.backends.mixtures;

import org.jspecify.annotations.NullMarked;
