/**
 * What tests of all modules share: a watchdog for what hangs, rounds of races, the text of messages, random graphs, and
 * the choices of seeded schedules.
 *
 * <pre>
 *  seed --> Choices --> a schedule, in which one thread plays all workers
 *      \--> Dag: a graph that is compiled and compared with its sequential run
 * </pre>
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.testkit;

import org.jspecify.annotations.NullMarked;
