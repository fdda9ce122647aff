/**
 * Microscope stitching: what the user asks for, the grid of tiles that is there, and the three phases over it.
 *
 * <pre>
 *  Settings ──▶ StitchingSettings ──▶ TileGrid.find ──▶ the headers of all tiles, checked
 *                      │                     │
 *                      └──▶ Traversal        ▼
 *                  order, smallest pool ──▶ pairs ──▶ Refiner ──▶ align ──▶ mosaic ──▶ PlateTables, Summary
 *                                          phase 1      phase 2             phase 3
 * </pre>
 *
 * <p>Imports: {@code apps.image}, {@code apps.program}, {@code apps.stitching.align}, {@code apps.stitching.mosaic},
 * {@code apps.stitching.pairs}, {@code base.clock}, {@code base.machine}, {@code base.trace}, {@code core.graph},
 * {@code core.session}, {@code flow.report}, {@code numerics.fft}.
 */
@NullMarked
package dev.jacquard.apps.stitching;

import org.jspecify.annotations.NullMarked;
