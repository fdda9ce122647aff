/**
 * Files of fields: arrays for NumPy, images for ParaView, pictures of slices, state in checkpoints. A file takes its
 * place when it is whole, and its bytes depend on the values alone.
 *
 * <pre>
 *  FieldStore --> FieldFiles --+--> NpyFile, NpyHeader ---------> .npy
 *                              +--> VtiFile --------------------> .vti
 *                              +--> SlicePixels (ColourMap) --> SlicePicture --> PngWriter --> .png, one or animated
 *                              +--> rows with ghosts --> CheckpointWriter, and back
 * </pre>
 *
 * <p>To add a format: a class that writes the rows of a {@code FieldMemory}, and a method of {@code FieldFiles}.
 *
 * <p>Imports: {@code base.codec}, {@code core.graph}, {@code core.session}, {@code drawing}, {@code expressions.field},
 * {@code expressions.language}, {@code expressions.loop}, {@code memory.access}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.expressions.files;

import org.jspecify.annotations.NullMarked;
