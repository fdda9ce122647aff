/**
 * The one generator of random programs, for all that the engine does: what is a feature is drawn here.
 *
 * <pre>
 *  seed --> Dice --> Setting (policy, workers, devices, limits, ...) --+
 *                \-> Draft --> Program: stores, jobs ------------------+--> Runner (a session each, opener, submitters)
 *                      |  \-- StoreDraft, TaskDraft, CourseDraft, GraphDraft  |
 *                      |       over one Drawing, with Touches: which cells    |
 *                      +-- Feature: off and on by name                      Trial --submits--> the engine
 *                                                                             |                    |
 *  Campaign: many seeds --> Shrinking: fewer jobs that still fail             |     Bodies, Kernels do the work (Mix),
 *     ^                                                                       |     Marks: who meets whom
 *     |                                               Pace: real Threads, or Played: one thread under a schedule,
 *     |                                                     with Readiness: who waits, and for whom
 *     +------------ Violations &lt;-- Judge: the same jobs over plain arrays, in the order of their submission
 * </pre>
 *
 * <p>A program is drawn from one seed together with where it runs. Every task folds what it reads and writes a hash of
 * that, of itself and of the place, so that any wrong order and any stale value shows in the end; additions commute,
 * and so does what is done under locks. Submitters take turns, so that the order of submissions is known, and with it
 * what a sequential run gives. Where time decides how a task ends (a graph that is cancelled, devices that fail) the
 * judge takes the end that was seen, if it may be, and the values must agree with it.
 *
 * <p>Besides values: bodies that conflict never meet; nothing of a task runs when that is over, and nothing at all when
 * its session is closed; tasks run where they say; each ends as the rules of failure have it; all ends in time.
 *
 * <p>A part of the programs is played: one thread takes the steps of all workers and submitters, in an order that
 * choices decide, which are drawn from the seed. Bodies are interrupted by others where they pause. So a program runs
 * the same each time, and between two steps the tasks that are pending can be held against those that have to wait.
 * What needs threads of its own is not drawn for them. Loops and trees of expressions, which a module above makes, come
 * by {@link dev.jacquard.core.testing.random.Formulas}, and components and streams, which submit jobs in the place of
 * the opener, by {@link dev.jacquard.core.testing.random.Components} and
 * {@link dev.jacquard.core.testing.random.Streams}: of executions side by side the jobs commute, so that the order of
 * the program is as good as theirs. May import all public packages of the core, and of other tests the seeded schedule
 * and its session.
 */
@NullMarked
package dev.jacquard.core.testing.random;

import org.jspecify.annotations.NullMarked;
