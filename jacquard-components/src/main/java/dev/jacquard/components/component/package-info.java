/**
 * The contract of what a program file can run: an {@link Application}, which does all of its work in one {@link Job}.
 *
 * <p>Imports: {@code components.program}.
 */
@NullMarked
package dev.jacquard.components.component;

import org.jspecify.annotations.NullMarked;
