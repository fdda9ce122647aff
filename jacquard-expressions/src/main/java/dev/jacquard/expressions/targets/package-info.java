/**
 * Rules that say on which target each expression of a step is computed.
 *
 * <pre>
 *  works, values, times, copies --Step--> TargetPolicy --Choice--> a target for each work, and why
 * </pre>
 *
 * <p>A policy knows no fields and runs nothing, so that hand-made steps test it. To add one, implement
 * {@link dev.jacquard.expressions.targets.TargetPolicy}: nothing else needs to know it.
 *
 * <p>Source: the expressions thesis, sections 3.1.13 to 3.1.16.
 *
 * <p>Imports: {@code base.machine}.
 */
@NullMarked
package dev.jacquard.expressions.targets;

import org.jspecify.annotations.NullMarked;
