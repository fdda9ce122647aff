/**
 * Tasks that do next to nothing, in graphs of several shapes: the cost of a task from its submission to its end, of a
 * task in a graph that is made once and run many times, and of the memory that tasks take.
 *
 * <pre>
 *  Shape (per task: the cell it updates, the cells it reads) ──▶ edges, inferred once for systems that are given them
 *     └─▶ Board (the Work: cells, and the action of a task on them)
 *           └─▶ ShapeContender (clears, times, verifies) ──▶ Runner, one per system:
 *                  JacquardTasks, JacquardGraph            infer the edges from accesses
 *                  ForkJoinTasks, ForkJoinGraph            hand-written counters, edges given
 *                  CompletableFutureTasks                  edges given
 *                  SequentialTasks                         the floor
 *
 *  onetbb.cpp, openmp.cpp, starpu.cpp, rival.hpp (resources) ──g++──▶ a program in the user's cache
 *  Shape ──a file──▶ RivalProcess ◀──"round", nanoseconds──▶ RivalContender
 *
 *  Pattern (steps of points, and their inputs) ──▶ Points (a task checks inputs, writes its output, computes)
 *                                                     │ a Runner of this process, or a rival's program
 *  Sweep: kernel iterations 2^16, 2^15, … ────────────┴──▶ time per task at half the peak = METG(50 %)
 * </pre>
 *
 * <p>Rivals that are no Java programs are small C++ programs of ours on their libraries, compiled when they are first
 * needed. A program lives as long as its contender and does one round on request, so that it takes its turn like all
 * others; between rounds its threads sleep. Without compiler or library there is an
 * {@link dev.jacquard.bench.workload.Workload.Absence}.
 *
 * <p>To add a workload: a line in {@link dev.jacquard.bench.graphs.GraphWorkloads}. To add a rival: a constant of
 * {@link dev.jacquard.bench.graphs.Rival} and its source.
 *
 * <p>Source of Pattern and its sweep: Slaughter et al., Task Bench: A Parameterized Benchmark for Evaluating Parallel
 * Runtime Performance, SC 2020.
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code bench.rival}, {@code bench.workload},
 * {@code core.compiled}, {@code core.graph}, {@code core.session}, {@code engine.plan}, {@code engine.schedule},
 * {@code memory.access}, {@code memory.data}, {@code sim}.
 */
@NullMarked
package dev.jacquard.bench.graphs;

import org.jspecify.annotations.NullMarked;
