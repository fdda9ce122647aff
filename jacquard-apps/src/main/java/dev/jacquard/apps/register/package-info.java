/**
 * The example of the resource-register document, section 7.3: which of some accesses depend on which, and what each may
 * be demoted to.
 *
 * <pre>
 *  matrix ──▶ AccessTable ──────────┐
 *  fields ──▶ FieldResource: name, kind of access, box ──▶ ResourceRegister: every pair is asked ──▶ report
 * </pre>
 *
 * <p>Runs no tasks: the answers are those on which the engine builds its graphs.
 *
 * <p>Imports: {@code base.text}, {@code components.component}, {@code components.program}, {@code memory.access}.
 */
@NullMarked
package dev.jacquard.apps.register;

import org.jspecify.annotations.NullMarked;
