/**
 * Plans: places and times for all tasks of a graph before it runs.
 *
 * <pre>
 *  WorkGraph: costs by task and place, edges --> GraphPlacement.plan --> Plan: place, start, end of each task; a bound
 * </pre>
 *
 * <p>Everything is in one unit of time, which the graph's source chooses. Tasks, places and edges are numbers from 0,
 * so that a search may place millions of tasks in a second. Nothing here knows an engine: plans are made for graphs of
 * files, compiled graphs and expressions alike.
 *
 * <pre>
 *  Heft, Cpop, Peft, Hybrid   one plan each: an order of the tasks, and a rule for the place of each --> Draft
 *  Paths                      tasks that follow one another without branches, for Hybrid
 *  Search                     EqualPlaces or Annealing: many plans, from changed orders and places; Exact: all plans
 *  Adversary                  a small graph that a placement plans badly
 *  Bounds                     paths, work and intervals: no plan is shorter
 * </pre>
 *
 * <p>To add a placement: a class that implements {@link dev.jacquard.engine.plan.GraphPlacement}, returned by the
 * {@code graphPlacement()} of a policy.
 *
 * <p>Imports: nothing.
 */
@NullMarked
package dev.jacquard.engine.plan;

import org.jspecify.annotations.NullMarked;
