/**
 * Workloads, the systems that run them, and how they are compared.
 *
 * <pre>
 *  Workloads ──name──▶ Workload ──▶ Contender, Contender, …      (the rivals live in the workload's folder)
 *                                        │ round by round
 *                 Calibration            ▼
 *  Machine ────────────┴──────────▶ Comparison ──▶ Row, ratio ──▶ Bench ──▶ JSON or a table
 * </pre>
 *
 * <p>All contenders of a workload run in one process, one round each in turn, so that a disturbance of the machine
 * disturbs all of them; their order is drawn again for each round. Every round verifies its result. To add a workload:
 * one class in a package below, and its line in the list of workloads there, such as
 * {@link dev.jacquard.bench.streams.StreamWorkloads}.
 *
 * <p>Imports: {@code base.clock}, {@code base.text}, {@code bench.devices}, {@code bench.fields}, {@code bench.graphs},
 * {@code bench.plates}, {@code bench.programs}, {@code bench.ranks}, {@code bench.streams}, {@code bench.workload},
 * {@code components.program}.
 */
@NullMarked
package dev.jacquard.bench;

import org.jspecify.annotations.NullMarked;
