/**
 * Compiled graphs: frozen graphs of tasks that run again and again without allocation.
 *
 * <pre>
 *  CompiledGraphBuilder.build() --> CompiledGraph.run()
 *
 *            +-> task --> task -+
 *  block ----+-> task ----------+--> fan-in --> end --> the next pass, the next run,
 *  of roots  +-> task ----------+                       or the thread that waits
 *                               of many
 *
 *  Every arrow counts its target down; the worker that brings it to 0 makes it ready.
 * </pre>
 *
 * <p>A <em>task</em> counts its predecessors down and sets its counter back when it starts, so that a run copies
 * nothing. A <em>block</em> stands for many tasks that become ready together: when a block runs, it leaves its right
 * half to thieves and goes on with its left half, down to a <em>batch</em>, from which each worker that has it takes
 * one task after the other. A <em>fan-in</em> stands between a node and many predecessors, so that these need not share
 * one counter. The <em>end</em> waits for all tasks without successors.
 *
 * <p>Of the tasks that the end of one makes ready, the first runs next. The worker runs it at once, as a part of the
 * node that it took, as long as nothing else is due ({@code WorkerContext.goesOn}); else that task goes the way of any
 * node.
 *
 * <p><strong>Memory order.</strong> Counting down is a read-modify-write, or an acquiring read that finds no other
 * predecessor left to count; so a task sees all effects of its predecessors. A counter is set back by a plain write
 * when its node starts: the worker that counts it down next is in the next pass, which begins after the end of this
 * one, and the end comes after all tasks. With one worker, and no task on a device, all accesses are plain, since one
 * thread counts.
 *
 * <p><strong>Data.</strong> A task that accesses data is readied again when the data is where the task runs, and when
 * its device is done ({@code StagedStep}). A task that runs on a device is run by the worker of that device
 * ({@code DeviceTask}), which enqueues later kernels early ({@code StepAhead}). Where all data is on the host, the run
 * begins with a node that claims it for all tasks ({@code RunClaim}). The claim is cached between runs; while nothing
 * moves, tasks know where their data is, and bodies stay bound to it.
 *
 * <p><strong>Schedules.</strong> Without its own {@code Scheduler}, the ready nodes of a graph are ordered like the
 * nodes of any graph. With one a {@code Turn} stands in front of each task; a fixed schedule is a chain of the tasks,
 * which counts nothing.
 *
 * <p><strong>Runs.</strong> {@code RunLifecycle} says how runs take turns, begin and end, and under which locks.
 *
 * <p><strong>Failure.</strong> While all is well a task reads one flag. Causes, counts and skipped tasks live in
 * {@code RunState}, under its monitor, and are touched only when something is wrong.
 *
 * <p><strong>Locks.</strong> The monitor of a graph (which guards the turns) and that of its {@code RunState}, never
 * both, no user code under them; that of {@code Scheduled}, under which a schedule is called, and none is taken. The
 * monitor of an inner graph may be taken under neither.
 *
 * <p>Imports: {@code base.concurrent}, {@code base.failure}, {@code base.machine}, {@code base.service},
 * {@code base.text}, {@code base.trace}, {@code core.execution}, {@code core.graph}, {@code core.kernel},
 * {@code engine.plan}, {@code engine.schedule}, {@code engine.work}, {@code insight.analysis}, {@code memory.access},
 * {@code memory.data}, {@code memory.device}, {@code memory.residency}.
 */
@NullMarked
package dev.jacquard.core.compiled;

import org.jspecify.annotations.NullMarked;
