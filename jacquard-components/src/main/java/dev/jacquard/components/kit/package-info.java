/**
 * Small components for tests of programs, and for trying things out: numbers, sums, waiting, loops, failures. One class
 * each, found as services.
 *
 * <p>Imports: {@code components.component}, {@code components.program}.
 */
@NullMarked
package dev.jacquard.components.kit;

import org.jspecify.annotations.NullMarked;
