/**
 * A workload and its contenders: the workloads implement them, and the comparison runs them.
 *
 * <p>Imports: {@code base.clock}.
 */
@NullMarked
package dev.jacquard.bench.workload;

import org.jspecify.annotations.NullMarked;
