/**
 * Kernels: work with an implementation for each of several targets, its parameters and arguments, and the contexts that
 * bodies have.
 *
 * <p>Imports: {@code base.machine}, {@code engine.work}, {@code memory.access}, {@code memory.data},
 * {@code memory.device}, {@code memory.device.emulated}, {@code memory.residency}.
 */
@NullMarked
package dev.jacquard.core.kernel;

import org.jspecify.annotations.NullMarked;
