/**
 * Checks the result of a run against its program, from the program alone: nothing here asks the engine.
 *
 * <pre>
 *  TaskProgram ──┐                 ┌─▶ shape: every task once, times and workers possible
 *                ├─▶ OrderOracle ──┼─▶ OrderCheck: who must not overlap, who must come first
 *  ReplayResult ─┘                 └─▶ StateCheck: who must be cancelled, who must not
 * </pre>
 *
 * <p>Where the format leaves a choice, both outcomes are right: only what it demands is a violation.
 *
 * <p>Imports: {@code apps.replay.program}.
 */
@NullMarked
package dev.jacquard.apps.replay.check;

import org.jspecify.annotations.NullMarked;
