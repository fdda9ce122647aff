/**
 * Graphs cut into parts of about the same weight, with few and light edges between the parts.
 *
 * <pre>
 *  WeightedGraph ──▶ Partitioner: ours ──────────────┐
 *                └─▶ Partitioners found as services ─┴─▶ Partitioners.best ──▶ Partition
 * </pre>
 *
 * <p>A further partitioner is one class that implements {@code Partitioner}, named as a service.
 *
 * <p>Imports: {@code base.service}.
 */
@NullMarked
package dev.jacquard.cluster.partition;

import org.jspecify.annotations.NullMarked;
