/**
 * Helpers for the tests of all modules: a watchdog for threads that hang, rounds of races, the text of messages, the
 * memory of all reachable objects, and the choices of seeded schedules, in which one thread plays all workers.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.testkit;

import org.jspecify.annotations.NullMarked;
