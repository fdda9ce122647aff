/**
 * Random programs, and the laws that every access kind and every kind of device keeps, for the tests of this and other modules (the
 * test-jar).
 *
 * <pre>
 *  seed --> Programs --> Program --submit--> Trial (a graph) --stamps, ends, cells--> Oracle: may that be?
 *                           |                    ^
 *                           |                    +-- Choices: who goes on, under a seeded schedule
 *                           +--> Shrink: the smallest program, and the fewest choices, that still fail
 * </pre>
 *
 * <p>Every resource is a field of cells. A task folds what it reads, and writes a hash of that into what it writes; and it
 * takes stamps from one clock when it begins, gives something up, and ends. The oracle knows the program and the rules of
 * accesses, and nothing of the engine: from the stamps it learns in which order the threads submitted, and judges who had to
 * wait for whom, who must not have run, and what the cells must hold. May import access, data, device, graph.
 */
@NullMarked
package dev.jacquard.core.testing;

import org.jspecify.annotations.NullMarked;
