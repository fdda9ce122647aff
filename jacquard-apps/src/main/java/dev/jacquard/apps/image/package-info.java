/** Grayscale images: the type every application shares, and the files they are read from and written to. */
@NullMarked
package dev.jacquard.apps.image;

import org.jspecify.annotations.NullMarked;
