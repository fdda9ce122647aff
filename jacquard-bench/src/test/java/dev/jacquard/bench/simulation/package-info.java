/** Compares simulated runs with real ones: {@code scripts/check-simulation}. */
@NullMarked
package dev.jacquard.bench.simulation;

import org.jspecify.annotations.NullMarked;
