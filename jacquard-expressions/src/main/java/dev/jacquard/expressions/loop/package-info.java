/**
 * Bodies of loops as graphs of simple operations, and the loops that run them. All ends compute the same bits: a real
 * is rounded after each operation, functions such as the exponential consist of simple operations, and nothing is
 * contracted or reordered.
 *
 * <p>Imports: {@code memory.data}.
 */
@NullMarked
package dev.jacquard.expressions.loop;

import org.jspecify.annotations.NullMarked;
