/**
 * Cuts plates of any size with known truth, for tests and benchmarks.
 *
 * <pre>
 *  Scene (a mosaic, or a seeded texture) ──▶ MakePlate: one tile at a time, with jitter, gain and noise ──▶ TIFF, truth
 * </pre>
 *
 * <p>Everything random comes from {@link dev.jacquard.apps.plate.Seed}, so that a plate is the same on every machine.
 *
 * <p>Imports: {@code apps.image}, {@code apps.tiles}, {@code components.component}, {@code components.program}.
 */
@NullMarked
package dev.jacquard.apps.plate;

import org.jspecify.annotations.NullMarked;
