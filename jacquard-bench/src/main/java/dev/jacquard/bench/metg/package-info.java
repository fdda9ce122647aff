/**
 * Task Bench: how small tasks may be before a system spends more time on itself than on them.
 *
 * <pre>
 *  Pattern (steps of points, who needs whom) ──▶ Points (what a task does: check inputs, write its output, compute)
 *                                                   │ a Runner of this process, or a rival's program
 *  Sweep: kernel iterations 2^16, 2^15, … ──────────┴──▶ time per task at half the peak = METG(50 %)
 * </pre>
 *
 * <p>Source: Slaughter et al., Task Bench: A Parameterized Benchmark for Evaluating Parallel Runtime Performance, SC
 * 2020.
 *
 * <p>Imports: {@code base.clock}, {@code bench.compiled}, {@code bench.dynamic}, {@code bench.rivals},
 * {@code bench.shape}, {@code bench.workload}.
 */
@NullMarked
package dev.jacquard.bench.metg;

import org.jspecify.annotations.NullMarked;
