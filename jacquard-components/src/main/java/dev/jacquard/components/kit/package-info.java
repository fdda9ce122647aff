/**
 * A kit of small components for tests of programs and for tutorials.
 *
 * <p>Imports: {@code components.component}, {@code components.program}.
 */
@NullMarked
package dev.jacquard.components.kit;

import org.jspecify.annotations.NullMarked;
