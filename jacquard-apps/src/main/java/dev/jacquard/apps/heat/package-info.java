/**
 * The component {@code heat}: the heat equation with a known solution.
 *
 * <p>Source: the expressions thesis, section 3.1.4 (the heat equation as expressions).
 *
 * <p>Imports: {@code apps.program}, {@code core.compiled}, {@code core.session}, {@code expressions.codegen},
 * {@code expressions.field}, {@code expressions.files}, {@code expressions.language}, {@code expressions.time},
 * {@code expressions.tree}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.apps.heat;

import org.jspecify.annotations.NullMarked;
