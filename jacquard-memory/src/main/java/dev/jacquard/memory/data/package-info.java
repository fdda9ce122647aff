/**
 * Resources that accesses refer to, and handles: resources with a value.
 *
 * <p>To add a data layout: one class here.
 *
 * <p>Imports: nothing of ours.
 */
@NullMarked
package dev.jacquard.memory.data;

import org.jspecify.annotations.NullMarked;
