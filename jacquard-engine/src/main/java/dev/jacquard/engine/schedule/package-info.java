/**
 * Policies: which ready task runs next, and where; and the guard that calls them.
 *
 * <pre>
 *  ready task --> Placement.place: which worker or device --> ReadyOrder.push
 *                 (none: one order for all)                        |
 *                                          worker --> ReadyOrder.pop: which task next
 * </pre>
 *
 * <p>A {@link dev.jacquard.engine.schedule.Policy} names itself, states its needs, and makes the orders of a session.
 * The task pool and the scheduler of the abstract runtime system document (section II-C5) are the order and the
 * placement. A policy sees tasks through {@link dev.jacquard.engine.work.ReadyTask} and the workers through
 * {@link dev.jacquard.engine.work.MachineState}, so the same objects run without an engine. All calls go through a
 * {@link dev.jacquard.engine.schedule.PolicyGuard}, which holds a policy to its contract, for engines and simulators
 * alike.
 *
 * <p>Where a graph is known before it runs, {@link dev.jacquard.engine.schedule.Policy#graphPlacement} places all of
 * its tasks: see {@link dev.jacquard.engine.plan}.
 *
 * <p>To add one: a class that implements Policy, named as a provider of that service; or
 * {@code Session.builder().policy(...)}. Built-in policies are in {@link dev.jacquard.engine.schedule.Policies}.
 *
 * <p>Imports: {@code base.concurrent}, {@code base.machine}, {@code base.service}, {@code base.text},
 * {@code engine.plan}, {@code engine.work}.
 */
@NullMarked
package dev.jacquard.engine.schedule;

import org.jspecify.annotations.NullMarked;
