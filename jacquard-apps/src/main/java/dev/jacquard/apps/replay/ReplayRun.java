package dev.jacquard.apps.replay;

import dev.jacquard.apps.replay.program.ReplayResult;
import dev.jacquard.core.trace.Trace;

/**
 * A run of a program that is over.
 *
 * @param result what it came to
 * @param trace what the workers did; empty when none was asked for
 */
public record ReplayRun(ReplayResult result, Trace trace) {}
