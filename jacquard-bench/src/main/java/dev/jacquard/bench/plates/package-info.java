/**
 * Stitching, whole and its first phase alone.
 *
 * <pre>
 *  PlateFolder (recut-8x8, or one cut like it) ──┬─▶ WholeStitching     the application, per FFT library
 *                                                └─▶ DisplacementPhase  ──▶ the application's flow graph, or
 *                                                       Kernels driven by a pool, futures or threads with queues
 * </pre>
 *
 * <p>All drive the same numerics, so that the difference is the runtime's.
 *
 * <p>Imports: {@code apps.image}, {@code apps.stitching}, {@code apps.stitching.align}, {@code apps.stitching.pairs},
 * {@code base.clock}, {@code bench.workload}, {@code components.component}, {@code components.program},
 * {@code components.run}, {@code core.session}, {@code numerics.fft}.
 */
@NullMarked
package dev.jacquard.bench.plates;

import org.jspecify.annotations.NullMarked;
