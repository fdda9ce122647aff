/**
 * Runs a graph without its bodies, in virtual time: the stages, rules and grants are those of {@code flow.runtime}.
 *
 * <pre>
 *  DryRuns --one pass per question--> Rehearsal --a plan with maps for bodies--> runtime.Run on DryWorkers
 * </pre>
 *
 * <p>Not exported.
 *
 * <p>Imports: {@code base.concurrent}, {@code base.trace}, {@code core.graph}, {@code engine}, {@code engine.work},
 * {@code flow.memory}, {@code flow.pipeline}, {@code flow.proof}, {@code flow.report}, {@code flow.runtime},
 * {@code flow.task}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.flow.dry;

import org.jspecify.annotations.NullMarked;
