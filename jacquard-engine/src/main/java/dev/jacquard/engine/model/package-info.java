/**
 * The engine's knowledge of the machine: how long tasks and kernels run.
 *
 * <p>Imports: {@code base.concurrent}, {@code base.machine}.
 */
@NullMarked
package dev.jacquard.engine.model;

import org.jspecify.annotations.NullMarked;
