/**
 * Cuts plates of any size with known truth, for tests and benchmarks.
 *
 * <pre>
 *  Scene (a mosaic, or a seeded texture) ──▶ MakePlate: one tile at a time, with jitter, gain and noise ──▶ TIFF, truth
 * </pre>
 *
 * Imports {@code apps.program} and {@code apps.image}. Everything random comes from {@link dev.jacquard.apps.plate.Seed},
 * so that a plate is the same on every machine.
 */
@NullMarked
package dev.jacquard.apps.plate;

import org.jspecify.annotations.NullMarked;
