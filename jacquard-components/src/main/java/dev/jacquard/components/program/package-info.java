/**
 * Programs as files: a YAML file names a component and gives its settings, and the component runs.
 *
 * <pre>
 *  program.yaml ──┐
 *                 ├─▶ ProgramFile ──▶ Settings ──▶ a component ──▶ Report, files in OutputFolder
 *  --set key=… ───┘   (texts with     (checked     │       ▲
 *                      their places)   and typed)  ▼       │
 *                                                Progress  Cancellation
 * </pre>
 *
 * <p>Everything a user can get wrong ends in an {@link InputException} before work starts.
 *
 * <p>Imports: {@code base.failure}, {@code base.text}.
 */
@NullMarked
package dev.jacquard.components.program;

import org.jspecify.annotations.NullMarked;
