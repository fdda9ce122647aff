/**
 * A record of events and their times: one ring buffer per worker, written by that worker alone and read when it is
 * asked for.
 *
 * <pre>
 *  worker --record(name id, start, end, argument)--> TraceLane (ring of longs)
 *                                                        --spans()--> Trace --> ChromeTrace (JSON)
 * </pre>
 *
 * <p>Lanes hold ids and times, never objects, so that a trace keeps nothing alive.
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}.
 */
@NullMarked
package dev.jacquard.base.trace;

import org.jspecify.annotations.NullMarked;
