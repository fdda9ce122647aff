/**
 * Program files made ready to run: their components found, their settings checked.
 *
 * <p>Imports: {@code base.text}, {@code components.component}, {@code components.program}.
 */
@NullMarked
package dev.jacquard.components.run;

import org.jspecify.annotations.NullMarked;
