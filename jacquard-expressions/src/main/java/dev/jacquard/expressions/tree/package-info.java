/**
 * Fields by their tags, and expressions that are computed over them by tasks.
 *
 * <p>Source: the expressions thesis, chapter 2.
 *
 * <p>Imports: {@code base.clock}, {@code base.machine}, {@code base.text}, {@code core.compiled}, {@code core.graph},
 * {@code core.kernel}, {@code core.session}, {@code engine.work}, {@code expressions.codegen},
 * {@code expressions.field}, {@code expressions.files}, {@code expressions.language}, {@code expressions.loop},
 * {@code expressions.targets}, {@code insight.analysis}, {@code memory.access}, {@code memory.coherence},
 * {@code memory.data}, {@code memory.device}.
 */
@NullMarked
package dev.jacquard.expressions.tree;

import org.jspecify.annotations.NullMarked;
