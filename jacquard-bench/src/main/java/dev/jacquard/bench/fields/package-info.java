/**
 * Loops over fields, by the point: Jacquard's compared with the same in C and by hand, each verified by the sum of its
 * result.
 *
 * <pre>
 *  Recipes ──▶ Recipe (expressions, the same as simple code, names of C loops) ──▶ Inputs.Sum, that a result must have
 *                │
 *  LoopWorkload ─┴─▶ LoopContender ──▶ Measured.Runs, one per system:
 *                       JacquardFields     assignments, compiled or submitted; HeatByHand on the same memory
 *                       CompiledLoops      a program of fields.cpp (resource), with products and sums as one or not
 *  EulerSteps, SmallExpressions    steps compared with their parts
 *  SharedSteps, ThreadSizes ──▶ StepRuns: steps of a StepProblem on several workers; StepProcess: in other processes
 * </pre>
 *
 * <p>To add a loop: a recipe, its loop in {@code fields.cpp}, and a line in
 * {@link dev.jacquard.bench.fields.FieldWorkloads}.
 *
 * <p>Imports: {@code base.clock}, {@code bench.rival}, {@code bench.workload}, {@code core.compiled},
 * {@code core.graph}, {@code core.session}, {@code expressions.codegen}, {@code expressions.field},
 * {@code expressions.language}, {@code expressions.loop}, {@code expressions.time}, {@code expressions.tree},
 * {@code insight.analysis}, {@code memory.access}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.bench.fields;

import org.jspecify.annotations.NullMarked;
