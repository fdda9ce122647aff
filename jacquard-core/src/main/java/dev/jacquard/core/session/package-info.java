/**
 * The front door: a session owns the workers, hands out handles and graphs, and closes everything.
 *
 * <p>Imports: {@code base.clock}, {@code base.concurrent}, {@code base.failure}, {@code base.machine},
 * {@code base.trace}, {@code core.compiled}, {@code core.execution}, {@code core.graph}, {@code engine},
 * {@code engine.model}, {@code engine.schedule}, {@code memory.access}, {@code memory.cache}, {@code memory.coherence},
 * {@code memory.data}, {@code memory.device}, {@code memory.device.emulated}, {@code memory.device.link},
 * {@code memory.residency}.
 */
@NullMarked
package dev.jacquard.core.session;

import org.jspecify.annotations.NullMarked;
