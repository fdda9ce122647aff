/**
 * Reads task programs from JSON, in Jacquard's own format or as WfFormat workflow instances, and writes them.
 *
 * <pre>
 *  file ──▶ JsonSource (values with their places) ──▶ ProgramReader ─┬─▶ ResourceReader, TaskReader ─┬─▶ TaskProgram
 *                                                                    └─▶ WorkflowReader ─────────────┘
 *  TaskProgram ──▶ ProgramWriter ──▶ text
 * </pre>
 *
 * <p>Whatever is wrong with a file ends in an {@link dev.jacquard.apps.program.InputException} that names place, task
 * and resource, before anything runs. To read another format: one class beside {@code WorkflowReader}, named in
 * {@code ProgramReader}.
 *
 * <p>Imports: {@code apps.program}, {@code apps.replay.program}.
 */
@NullMarked
package dev.jacquard.apps.replay.format;

import org.jspecify.annotations.NullMarked;
