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
 * Imports {@code apps.program}, {@code apps.image}, its own parts {@code align}, {@code pairs} and {@code mosaic}, the
 * task graphs of {@code core}, the reports of {@code flow}, and {@code numerics}.
 */
@NullMarked
package dev.jacquard.apps.stitching;

import org.jspecify.annotations.NullMarked;
