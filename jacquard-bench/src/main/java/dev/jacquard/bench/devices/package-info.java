/**
 * What data and devices cost: a claim of what is there, a launch, overlap of copies and kernels, and a product that
 * does not fit into memory.
 *
 * <p>Imports: {@code bench.workload}, {@code core.access}, {@code core.cache}, {@code core.clock},
 * {@code core.coherence}, {@code core.data}, {@code core.device}, {@code core.device.emulated},
 * {@code core.device.link}, {@code core.graph}, {@code core.machine}, {@code core.session}, {@code numerics.blas}.
 */
@NullMarked
package dev.jacquard.bench.devices;

import org.jspecify.annotations.NullMarked;
