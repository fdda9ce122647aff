/**
 * Microscope stitching: what the user asks for, and the grid of tiles that is there.
 *
 * <pre>
 *  Settings ──▶ StitchingSettings ──▶ TileGrid.find ──▶ the headers of all tiles, checked
 *                      │
 *                      └──▶ Traversal ──▶ order in which tiles are read, smallest pool of transforms
 * </pre>
 *
 * Imports {@code apps.program}, {@code apps.image}, and its own parts {@code align} and {@code mosaic}.
 */
@NullMarked
package dev.jacquard.apps.stitching;

import org.jspecify.annotations.NullMarked;
