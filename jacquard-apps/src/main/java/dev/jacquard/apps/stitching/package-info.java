/**
 * Microscope stitching: the user's settings, the grid of tiles that is there, and the three phases over it.
 *
 * <pre>
 *  Settings ──▶ StitchingSettings ──▶ TileGrid.find ──▶ the headers of all tiles, checked
 *                      │                     │
 *                      └──▶ Traversal        ▼
 *                  order, smallest pool ──▶ pairs ──▶ Refiner ──▶ align ──▶ MosaicComposer ──▶ Plate (tables), Summary
 *                                          phase 1      phase 2             phase 3
 *
 *  Phase 3 is composed by tasks that write overlapping areas of one handle:
 *
 *  tile (0,0) --write area--+                     each tile: read file, blend into the ring
 *  tile (0,2) --write area--+--> rows 0..k --+
 *  tile (0,1) --write area--+                |    rows: normalise, hand to the sink, clear the ring
 *  tile (1,0) ...                            +--> rows k+1..m
 * </pre>
 *
 * <p>Only tiles that overlap wait for each other. The handle's value is a ring of rows, so that a mosaic of any height
 * needs the memory of a few rows of tiles. Sums are integers: the result is the same whatever order tiles come in.
 *
 * <p>Imports: {@code apps.image}, {@code apps.stitching.align}, {@code apps.stitching.pairs}, {@code apps.tiles},
 * {@code base.clock}, {@code base.failure}, {@code base.machine}, {@code base.trace}, {@code components.component},
 * {@code components.program}, {@code core.graph}, {@code core.session}, {@code drawing}, {@code flow.report},
 * {@code memory.access}, {@code memory.data}, {@code numerics.fft}.
 */
@NullMarked
package dev.jacquard.apps.stitching;

import org.jspecify.annotations.NullMarked;
