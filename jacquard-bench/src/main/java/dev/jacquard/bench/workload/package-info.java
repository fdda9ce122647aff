/**
 * What a workload and its contenders are, which the workloads implement and the comparison runs. Imports nothing of ours.
 */
@NullMarked
package dev.jacquard.bench.workload;

import org.jspecify.annotations.NullMarked;
