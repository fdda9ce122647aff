/**
 * Time: the one place where it comes from, so that tests and the simulator can bring their own.
 *
 * <pre>
 *  Clock.system() ----------------------------------------------------------------> System.nanoTime
 *  Clock.cycles() --CycleTrust: may it?--> CycleClock --CycleCounter: cycles--> CycleRate --> nanoseconds
 *                          └── no ───────> Clock.system()
 * </pre>
 *
 * <p>Decisions are made by the system's clock, or the user's; traces, which are read afterwards, take the cheap one.
 * The only native code of the core is here: {@code CycleCounter}. A counter of another processor would need its own
 * code there and its own trust.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.base.clock;

import org.jspecify.annotations.NullMarked;
