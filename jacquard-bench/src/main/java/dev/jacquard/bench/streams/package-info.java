/**
 * Items that stream through stages: the cost of an item at each edge between two of them.
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
