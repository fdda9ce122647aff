/**
 * Runs task programs that are described in files: to study schedules of recorded or generated graphs, to report a bug as a file,
 * to compare policies.
 *
 * <pre>
 *  file ──▶ format ──▶ program (data) ──▶ Replay ──▶ ReplayResult ──▶ ReplayReport (text), format (JSON)
 *                          │             engine            │
 *                          └──────────────▶ check ◀────────┘
 * </pre>
 *
 * To give a task something new: a member of {@code TaskSpec}, its reading in {@code format.TaskReader}, its meaning in
 * {@code Replay} and, apart from that, in {@code check}. May import program, core, and the packages below this one.
 */
@NullMarked
package dev.jacquard.apps.replay;

import org.jspecify.annotations.NullMarked;
