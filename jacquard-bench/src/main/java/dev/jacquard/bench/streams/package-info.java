/**
 * Items that stream through stages: what an item costs at each edge between two of them.
 *
 * <pre>
 *  source ──▶ stage 1 ──▶ stage 2 ──▶ stage 3 (checks order and number)         three edges
 * </pre>
 *
 * <p>May import the benchmarks' ground, the core and flow.
 */
@NullMarked
package dev.jacquard.bench.streams;

import org.jspecify.annotations.NullMarked;
