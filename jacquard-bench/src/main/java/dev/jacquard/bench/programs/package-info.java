/**
 * Workloads of programs that are put together from components: the cost of an execution, and of reading and checking.
 *
 * <p>Imports: {@code base.clock}, {@code bench.workload}, {@code components.component}, {@code components.program},
 * {@code components.run}.
 */
@NullMarked
package dev.jacquard.bench.programs;

import org.jspecify.annotations.NullMarked;
