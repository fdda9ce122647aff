/**
 * Items that stream through stages: the cost of an item at each edge between two of them, and of a loan; and the speed
 * of pipelines over several devices.
 *
 * <pre>
 *  source ──▶ stage 1 ──▶ stage 2 ──▶ stage 3 (checks order and number)         three edges
 * </pre>
 *
 * <p>Imports: {@code base.clock}, {@code base.machine}, {@code bench.rival}, {@code bench.workload},
 * {@code core.kernel}, {@code core.session}, {@code flow}, {@code flow.memory}, {@code flow.pipeline},
 * {@code flow.proof}, {@code flow.report}, {@code flow.task}, {@code memory.data}, {@code memory.device.emulated}.
 */
@NullMarked
package dev.jacquard.bench.streams;

import org.jspecify.annotations.NullMarked;
