/**
 * Grayscale images: the type every application shares, and the files they are read from and written to.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.apps.image;

import org.jspecify.annotations.NullMarked;
