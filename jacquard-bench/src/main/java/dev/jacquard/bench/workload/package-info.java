/**
 * What a workload and its contenders are, which the workloads implement and the comparison runs.
 *
 * <p>Imports: {@code base.clock}.
 */
@NullMarked
package dev.jacquard.bench.workload;

import org.jspecify.annotations.NullMarked;
