/**
 * Where tiles lie, as components of plates hand it to each other, and their comparison.
 *
 * <pre>
 *  make-plate --truth: List of TilePosition--> compare-positions
 *      +-----folder--> stitching --positions-------^
 * </pre>
 *
 * <p>Imports: {@code components.component}, {@code components.program}.
 */
@NullMarked
package dev.jacquard.apps.tiles;

import org.jspecify.annotations.NullMarked;
