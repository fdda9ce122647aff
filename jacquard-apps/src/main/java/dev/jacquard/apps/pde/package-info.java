/**
 * The component {@code pde}: partial differential equations as text.
 *
 * <pre>
 *  Settings --> Names: parameters, given fields, unknowns --> Walls, GivenFields, Unknowns --> Equations
 *  Equations --> Solver: sets fields, finds the step, advances; keeps Checkpoints --> Findings: numbers, files
 * </pre>
 *
 * <p>To add a key: a constant in {@code Keys}, and its line in the list there.
 *
 * <p>Source: the expressions thesis, section 4.1 (transport equations).
 *
 * <p>Imports: {@code base.clock}, {@code base.codec}, {@code base.machine}, {@code base.text}, {@code base.trace},
 * {@code components.component}, {@code components.program}, {@code core.compiled}, {@code core.session},
 * {@code drawing}, {@code expressions.codegen}, {@code expressions.field}, {@code expressions.files},
 * {@code expressions.language}, {@code expressions.loop}, {@code expressions.text}, {@code expressions.time},
 * {@code expressions.tree}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.apps.pde;

import org.jspecify.annotations.NullMarked;
