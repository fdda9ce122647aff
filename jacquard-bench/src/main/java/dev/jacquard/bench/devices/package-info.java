/**
 * The costs of data and devices: a claim of data that is there, a launch, overlap of copies and kernels, items shared
 * by the host and a device, and a product that does not fit into memory.
 *
 * <p>Imports: {@code base.clock}, {@code base.machine}, {@code base.trace}, {@code bench.workload},
 * {@code core.compiled}, {@code core.graph}, {@code core.kernel}, {@code core.macro}, {@code core.session},
 * {@code engine.model}, {@code memory.access}, {@code memory.cache}, {@code memory.coherence}, {@code memory.data},
 * {@code memory.device}, {@code memory.device.emulated}, {@code memory.device.link}, {@code memory.residency},
 * {@code numerics.blas}.
 */
@NullMarked
package dev.jacquard.bench.devices;

import org.jspecify.annotations.NullMarked;
