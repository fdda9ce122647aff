/**
 * Rivals that are no Java programs: small C++ programs of ours on their libraries, compiled when they are first needed.
 *
 * <pre>
 *  onetbb.cpp, openmp.cpp, starpu.cpp, rival.hpp (resources) ──g++──▶ a program in the user's cache
 *  Shape ──a file──▶ RivalProcess ◀──"round", nanoseconds──▶ RivalContender
 * </pre>
 *
 * <p>A program lives as long as its contender and does one round when it is told to, so that it takes its turn like all
 * others; between rounds its threads sleep. Without compiler or library there is an
 * {@link dev.jacquard.bench.workload.Absence}.
 *
 * <p>To add a rival: a constant of {@link dev.jacquard.bench.rivals.Rival} and its source.
 *
 * <p>Imports: {@code bench.shape}, {@code bench.workload}.
 */
@NullMarked
package dev.jacquard.bench.rivals;

import org.jspecify.annotations.NullMarked;
