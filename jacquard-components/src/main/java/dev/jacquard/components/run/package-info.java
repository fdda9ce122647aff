/**
 * Program files made ready to run: their components found, their settings checked.
 *
 * <p>Imports: {@code base.clock}, {@code base.codec}, {@code base.concurrent}, {@code base.text}, {@code base.trace},
 * {@code components.codec}, {@code components.component}, {@code components.mesh}, {@code components.program},
 * {@code core.graph}, {@code core.session}, {@code drawing}, {@code engine}, {@code engine.work}.
 */
@NullMarked
package dev.jacquard.components.run;

import org.jspecify.annotations.NullMarked;
