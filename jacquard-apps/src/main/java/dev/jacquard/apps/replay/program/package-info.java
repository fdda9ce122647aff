/**
 * A task program as data: resources, tasks with their accesses, sub-tasks and demotions, and what these words mean; and
 * the result of running one.
 *
 * <pre>
 *  TaskProgram ──┬─▶ ResourceSpec (tree, unordered)      ResourceTree answers: who is below whom, ordered or not
 *                └─▶ TaskSpec ──┬─▶ AccessSpec (AccessMode, Box)      Rights answers: conflict, cover, demotion
 *                               ├─▶ TaskSpec … (refine)
 *                               └─▶ DemoteSpec
 *  ReplayResult ───▶ TaskResult … (EndState, Execution, Demoted)
 * </pre>
 *
 * <p>Everything is immutable. The rules are written down here a second time, apart from the engine's, so that a run can
 * be checked against them.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.apps.replay.program;

import org.jspecify.annotations.NullMarked;
