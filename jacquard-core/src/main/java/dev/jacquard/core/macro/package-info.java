/**
 * Macro tasks: one node of a graph that does the work of many items, by threads of the host (fork-join), by streams of
 * devices (pipeline), or by both at once.
 *
 * <pre>
 *  MacroTask.submit ──▶ task ──body──▶ MacroRun ──▶ ItemSplit: the items that are left
 *                                       │              ▲ take
 *                                       ├─▶ HostItems ─┤   strands of a ForkJoinDriver
 *                                       └─▶ DeviceItems┘   a DeviceLane per stream of a device
 *                                     last item ──▶ stage of the task
 * </pre>
 *
 * <p>A strand takes the next items, does them, and counts them down; the thread that brings the count to 0 completes
 * the stage, so no thread waits for the others.
 *
 * <p>Imports: {@code base.clock}, {@code base.failure}, {@code base.machine}, {@code base.text}, {@code core.graph},
 * {@code core.kernel}, {@code core.session}, {@code engine.model}, {@code memory.access}, {@code memory.coherence},
 * {@code memory.data}, {@code memory.device}, {@code memory.residency}.
 */
@NullMarked
package dev.jacquard.core.macro;

import org.jspecify.annotations.NullMarked;
