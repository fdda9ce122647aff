/**
 * Grids, and fields on them: values at the centres of cells, on faces or at corners, with ghost cells around.
 *
 * <p>Source: the expressions thesis, chapter 2.
 *
 * <p>Imports: {@code expressions.loop}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.expressions.field;

import org.jspecify.annotations.NullMarked;
