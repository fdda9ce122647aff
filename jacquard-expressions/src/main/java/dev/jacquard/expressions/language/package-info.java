/**
 * The language of expressions: fields, numbers, operators between locations and functions, and the loops that they
 * become.
 *
 * <p>Source: the expressions thesis, section 2.3 (the embedded language), and its operators.
 *
 * <p>Imports: {@code expressions.field}, {@code expressions.loop}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.expressions.language;

import org.jspecify.annotations.NullMarked;
