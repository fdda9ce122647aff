/**
 * Reads graphs of tasks with their times, for plans and simulations.
 *
 * <pre>
 *  file --> StgReader, HeftReader, ProgramReader --> GraphDraft (order, cycles) --> GraphFile --> WorkGraph
 *  WorkGraph --> HeftWriter --> tables
 * </pre>
 *
 * <p>All that is wrong with a file ends in an {@link dev.jacquard.components.program.InputException} that names the
 * file, the line and the task. To read another format: one reader that fills a {@code GraphDraft}, named in
 * {@code GraphFile}.
 *
 * <p>Imports: {@code apps.replay}, {@code components.program}, {@code engine.plan}.
 */
@NullMarked
package dev.jacquard.apps.graphs;

import org.jspecify.annotations.NullMarked;
