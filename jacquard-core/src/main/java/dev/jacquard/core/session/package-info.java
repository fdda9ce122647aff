/**
 * The front door: a session owns the workers, hands out handles and graphs, and closes everything.
 *
 * <p>Imports: {@code core.access}, {@code core.cache}, {@code core.clock}, {@code core.coherence},
 * {@code core.compiled}, {@code core.data}, {@code core.device}, {@code core.device.emulated},
 * {@code core.device.link}, {@code core.engine}, {@code core.graph}, {@code core.machine}, {@code core.schedule},
 * {@code core.trace}.
 */
@NullMarked
package dev.jacquard.core.session;

import org.jspecify.annotations.NullMarked;
