/**
 * Fields that advance in time.
 *
 * <p>Source: Gottlieb, Shu and Tadmor, Strong stability-preserving high-order time discretization methods, SIAM Review
 * 43 (2001), section 4; the expressions thesis, section 4.1.
 *
 * <p>Imports: {@code base.clock}, {@code base.machine}, {@code base.text}, {@code core.compiled}, {@code core.graph},
 * {@code core.kernel}, {@code expressions.codegen}, {@code expressions.field}, {@code expressions.language},
 * {@code expressions.loop}, {@code expressions.targets}, {@code expressions.tree}, {@code insight.analysis},
 * {@code memory.data}.
 */
@NullMarked
package dev.jacquard.expressions.time;

import org.jspecify.annotations.NullMarked;
