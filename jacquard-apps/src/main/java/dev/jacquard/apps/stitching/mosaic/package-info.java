/**
 * Phase 3 of stitching: the mosaic, composed by tasks that write overlapping areas of one handle.
 *
 * <pre>
 *  tile (0,0) --write area--+                     each tile: read file, blend into the ring
 *  tile (0,2) --write area--+--> rows 0..k --+
 *  tile (0,1) --write area--+                |    rows: normalise, hand to the sink, clear the ring
 *  tile (1,0) ...                            +--> rows k+1..m
 * </pre>
 *
 * <p>Only tiles that overlap wait for each other. The handle's value is a ring of rows, so that a mosaic of any height
 * needs the memory of a few rows of tiles. Sums are integers: the result is the same whatever order tiles come in.
 *
 * <p>Imports: {@code apps.image}, {@code core.graph}, {@code core.session}, {@code memory.access},
 * {@code memory.data}.
 */
@NullMarked
package dev.jacquard.apps.stitching.mosaic;

import org.jspecify.annotations.NullMarked;
