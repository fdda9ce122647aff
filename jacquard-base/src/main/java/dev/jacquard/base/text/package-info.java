/**
 * Texts of messages.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.base.text;

import org.jspecify.annotations.NullMarked;
