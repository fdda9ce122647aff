/**
 * Program files made ready to run, and runs of them.
 *
 * <pre>
 *  file ──▶ Program.load ──▶ ProgramCheck (components of the Catalog, settings, sockets) ──▶ Plan ──▶ ComposedProgram
 *                │                                                                                          │ run
 *                └──▶ SingleProgram: an application alone                        OpenedParts: instances, Cells ◀┘
 *                                                                                     │
 *              TopState, Savepoints ──▶ ProgramCheckpoint  ◀──  SerialRun or ParallelRun, ended early by Stops
 *                                 │ ProgramState, SavedFiles: SharedValues, SavedData   │
 *                                                                          RunReport, ProgramPicture, RunTrace
 * </pre>
 *
 * <p>Over ranks, RankRun runs the program on each: RankBegin has the decisions of rank 0 before the run, RankLinks the
 * wires between them, RankControl their common end, RankSaving, RankSavepoints and RankCheckpoint their common state.
 *
 * <p>Decision record 36 says why components are no tasks. The threads of each field are stated at its declaration.
 *
 * <p>Imports: {@code base.clock}, {@code base.codec}, {@code base.concurrent}, {@code base.failure},
 * {@code base.machine}, {@code base.service}, {@code base.text}, {@code base.trace}, {@code cluster.communicator},
 * {@code cluster.local}, {@code cluster.partition}, {@code components.component}, {@code components.mesh},
 * {@code components.program}, {@code core.graph}, {@code core.session}, {@code drawing}, {@code engine},
 * {@code engine.work}, {@code memory.access}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.components.run;

import org.jspecify.annotations.NullMarked;
