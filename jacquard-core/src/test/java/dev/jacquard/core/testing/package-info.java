/**
 * Random programs and the laws that every access kind keeps, for the tests of this and other modules (the test-jar).
 *
 * <pre>
 *  seed --> Programs --> Program --submit--> Trial (a graph) --verify--+
 *                           |                                         v
 *                           +--> Expectation (sequential)  ----> same cells, same ends?
 *                           +--> Shrink: the smallest program that still fails
 * </pre>
 *
 * <p>Every resource is a field of cells. A task folds what it reads, and writes a hash of that into what it writes: so the
 * cells end as in a sequential run if and only if all conflicting accesses were ordered. May import access, data, graph.
 */
@NullMarked
package dev.jacquard.core.testing;

import org.jspecify.annotations.NullMarked;
