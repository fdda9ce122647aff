/**
 * The example of the resource-register document, section 7.3: which of some accesses depend on which, and the possible
 * demotions of each.
 *
 * <pre>
 *  matrix ──▶ AccessTable ──────────┐
 *  fields ──▶ FieldResource: name, kind of access, box ──▶ ResourceRegister: every pair is asked ──▶ report
 * </pre>
 *
 * <p>Runs no tasks: the engine builds its graphs on the same answers.
 *
 * <p>Imports: {@code base.text}, {@code components.component}, {@code components.program}, {@code memory.access}.
 */
@NullMarked
package dev.jacquard.apps.register;

import org.jspecify.annotations.NullMarked;
