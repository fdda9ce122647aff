/**
 * Phase 1 of stitching as a flow graph: from tiles in traversal order to a measured displacement per pair of
 * neighbours.
 *
 * <pre>
 *  tile number --> read --> transform --> pairs (bookkeeper: both neighbours here?) --> measure --> Measurement
 *                   |                                                                      |
 *                   +&lt;--------------------- memory edge "transforms" &lt;--------------------+
 *                     takes a buffer                          releases it once per pair of the tile
 * </pre>
 *
 * <p>A tile's image and transform live in one buffer, from the tile's turn in the traversal until its last pair is
 * measured. Source: Blattner's thesis on the Hybrid Task Graph Scheduler, sections 6.3 to 6.6.
 *
 * <p>Imports: {@code apps.image}, {@code apps.stitching.align}, {@code core.session}, {@code flow},
 * {@code flow.memory}, {@code flow.proof}, {@code flow.report}, {@code flow.task}, {@code memory.data},
 * {@code numerics.fft}.
 */
@NullMarked
package dev.jacquard.apps.stitching.pairs;

import org.jspecify.annotations.NullMarked;
