/**
 * Rules that say on which target each expression of a step is computed.
 *
 * <pre>
 *  works, values, times, copies --Step--> TargetPolicy --Choice--> a target for each work, and why
 *                                              |
 *                     Policy: a plan of the step as a WorkGraph, or a Placement asked work by work
 * </pre>
 *
 * <p>A rule knows no fields and runs nothing, so that hand-made steps test it. To add one, implement
 * {@link dev.jacquard.engine.schedule.Policy} with a placement, or one of whole graphs, and take
 * {@link dev.jacquard.expressions.targets.TargetPolicy#of}: nothing else needs to know it.
 *
 * <p>Source: the expressions thesis, sections 3.1.13 to 3.1.16.
 *
 * <p>Imports: {@code base.machine}, {@code engine.plan}, {@code engine.schedule}, {@code engine.work}.
 */
@NullMarked
package dev.jacquard.expressions.targets;

import org.jspecify.annotations.NullMarked;
