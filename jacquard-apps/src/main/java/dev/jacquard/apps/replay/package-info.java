/**
 * Runs task programs that are described in files: to study schedules of recorded or generated graphs, to report a bug
 * as a file, to compare policies.
 *
 * <pre>
 *  file ──▶ format ──▶ program (data) ──▶ Replay ──▶ ReplayResult ──▶ ReplayReport (text), format (JSON)
 *                          │             engine            │
 *                          └──────────────▶ check ◀────────┘
 * </pre>
 *
 * <p>To give a task something new: a member of {@code TaskSpec}, its reading in {@code format.TaskReader}, its meaning
 * in {@code Replay} and, apart from that, in {@code check}.
 *
 * <p>Imports: {@code apps.program}, {@code apps.replay.program}, {@code base.clock}, {@code base.trace},
 * {@code core.graph}, {@code core.session}, {@code engine.schedule}, {@code insight.analysis}, {@code memory.access},
 * {@code memory.data}.
 */
@NullMarked
package dev.jacquard.apps.replay;

import org.jspecify.annotations.NullMarked;
