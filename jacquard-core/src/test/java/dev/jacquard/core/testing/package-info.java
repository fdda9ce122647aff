/**
 * What tests of this and other modules share (the test-jar): the laws that every access kind and every kind of device
 * keeps, random graphs, races, and the choices of seeded schedules.
 *
 * <pre>
 *  seed --> Choices --> a schedule, in which one thread plays all workers
 *      \--> Dag, Frozen, RandomShapes: graphs to be compiled, and their sequential runs
 * </pre>
 *
 * <p>Random programs are in {@link dev.jacquard.core.testing.random}. May import access, compiled, data, device, graph.
 */
@NullMarked
package dev.jacquard.core.testing;

import org.jspecify.annotations.NullMarked;
