/**
 * Items that stream through stages: what an item costs at each edge between two of them.
 *
 * <pre>
 *  source ──▶ stage 1 ──▶ stage 2 ──▶ stage 3 (checks order and number)         three edges
 * </pre>
 *
 * <p>Imports: {@code base.clock}, {@code bench.workload}, {@code core.session}, {@code flow}, {@code flow.memory}.
 */
@NullMarked
package dev.jacquard.bench.streams;

import org.jspecify.annotations.NullMarked;
