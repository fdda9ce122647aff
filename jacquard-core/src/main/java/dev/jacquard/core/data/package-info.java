/**
 * Resources that accesses refer to, and handles: resources with a value.
 *
 * <p>Imports nothing of ours. To add a data layout: one class here.
 */
@NullMarked
package dev.jacquard.core.data;

import org.jspecify.annotations.NullMarked;
