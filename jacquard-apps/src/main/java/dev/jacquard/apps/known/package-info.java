/**
 * Components that solve equations with a known solution, and measure error and speed: {@code heat} and
 * {@code transport}; and studies of their speed.
 *
 * <p>Source: the expressions thesis, sections 3.1.4 (the heat equation as expressions) and 4.1 (transport equations).
 *
 * <p>Imports: {@code apps.pde}, {@code base.clock}, {@code base.machine}, {@code components.component},
 * {@code components.program}, {@code core.compiled}, {@code core.graph}, {@code core.session}, {@code drawing},
 * {@code expressions.codegen}, {@code expressions.field}, {@code expressions.files}, {@code expressions.language},
 * {@code expressions.time}, {@code expressions.tree}, {@code insight.analysis}, {@code memory.access},
 * {@code memory.data}, {@code memory.device}.
 */
@NullMarked
package dev.jacquard.apps.known;

import org.jspecify.annotations.NullMarked;
