/**
 * Stitching, whole and its first phase alone.
 *
 * <pre>
 *  PlateFolder (recut-8x8, or one cut like it) ──┬─▶ WholeStitching     the application, per FFT library
 *                                                └─▶ DisplacementPhase  ──▶ the application's flow graph, or
 *                                                       Kernels driven by a pool, futures or threads with queues
 * </pre>
 *
 * <p>All drive the same numerics, so that the difference is the runtime's. May import everything.
 */
@NullMarked
package dev.jacquard.bench.plates;

import org.jspecify.annotations.NullMarked;
