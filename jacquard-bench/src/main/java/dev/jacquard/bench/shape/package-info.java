/**
 * What tasks there are, apart from the systems that run them.
 *
 * <pre>
 *  Shape (per task: the cell it updates, the cells it reads) ──▶ edges, inferred once for systems that are told them
 *     └─▶ Board (the Work: cells, and what a task does to them)
 *           └─▶ ShapeContender (clears, times, verifies) ──▶ Runner (one per system of the JVM)
 * </pre>
 *
 * <p>Imports: {@code base.clock}, {@code bench.workload}.
 */
@NullMarked
package dev.jacquard.bench.shape;

import org.jspecify.annotations.NullMarked;
