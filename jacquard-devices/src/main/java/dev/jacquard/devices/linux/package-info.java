/**
 * Threads bound to processors by the C library of Linux, called by {@code base.foreign}.
 *
 * <pre>
 *   worker's thread --sched_getaffinity--> processors that it may use --sched_setaffinity--> one of them
 * </pre>
 *
 * <p>On other systems there is none, and the reason is on record.
 *
 * <p>Imports: {@code base.foreign}, {@code base.machine}.
 */
@NullMarked
package dev.jacquard.devices.linux;

import org.jspecify.annotations.NullMarked;
