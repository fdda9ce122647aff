/**
 * Runs task programs that are described in files: to study schedules of recorded or generated graphs, to report a bug
 * as a file, to compare policies.
 *
 * <pre>
 *  file ──▶ TaskProgram ──▶ Replay ──▶ ReplayResult ──▶ ReplayReport (text), JSON, ResultReader
 *                │          engine          │
 *                └──────▶ OrderOracle ◀─────┘──▶ ReplayReasons (why a task ran there and then)
 * </pre>
 *
 * <p><b>Data.</b> All of it is immutable.
 *
 * <pre>
 *  TaskProgram ──┬─▶ ResourceSpec (tree, unordered)      ResourceTree answers: which is below which, ordered or not
 *                └─▶ TaskSpec ──┬─▶ AccessSpec (AccessMode, Box)      AccessRights answers: conflict, cover, demotion
 *                               ├─▶ TaskSpec … (refine)
 *                               └─▶ DemoteSpec
 *  ReplayResult ───▶ TaskResult … (EndState, Execution, Demoted)
 * </pre>
 *
 * <p><b>Files.</b> Programs are JSON, in Jacquard's own format or WfFormat workflow instances. All that is wrong with a
 * file ends in an {@link dev.jacquard.components.program.InputException} that names place, task and resource, before
 * anything runs. To read another format: one class next to {@code WorkflowReader}, named in {@code TaskProgram}.
 *
 * <pre>
 *  file ──▶ JsonSource (values with their places) ─┬─▶ ResourceReader, TaskReader ─┬─▶ TaskProgram
 *                                                  └─▶ WorkflowReader ─────────────┘
 * </pre>
 *
 * <p><b>Checks.</b> The rules are written down here a second time, so that a run is checked from the program alone:
 * only Replay asks the engine. Where the format leaves a choice, both outcomes are right: only a breach of its demands
 * is a violation.
 *
 * <pre>
 *  TaskProgram ──┐                 ┌─▶ shape: every task once, times and workers possible
 *                ├─▶ OrderOracle ──┼─▶ OrderCheck: tasks that must not overlap, tasks that must come first
 *  ReplayResult ─┘                 └─▶ StateCheck: tasks that must be cancelled, tasks that must not
 * </pre>
 *
 * <p>To give a task something new: a member of {@code TaskSpec}, its reading in {@code TaskReader}, its meaning in
 * {@code Replay} and, apart from that, in the checks.
 *
 * <p>Imports: {@code base.clock}, {@code base.text}, {@code base.trace}, {@code components.program},
 * {@code core.graph}, {@code core.session}, {@code engine.schedule}, {@code insight.analysis}, {@code memory.access},
 * {@code memory.data}.
 */
@NullMarked
package dev.jacquard.apps.replay;

import org.jspecify.annotations.NullMarked;
