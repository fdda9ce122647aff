/**
 * The ways in which tasks touch resources: the access SPI and one small type per kind of access.
 *
 * <p>A kind answers two questions, does it <em>conflict with</em> an earlier access, and does it <em>cover</em>
 * another; the engine asks nothing else. {@link dev.jacquard.memory.access.AccessList} has the declared accesses of a
 * task, and answers for pairs of tasks. To add a kind: one class that implements
 * {@link dev.jacquard.memory.access.Access}.
 *
 * <p>Imports: {@code memory.data}.
 */
@NullMarked
package dev.jacquard.memory.access;

import org.jspecify.annotations.NullMarked;
