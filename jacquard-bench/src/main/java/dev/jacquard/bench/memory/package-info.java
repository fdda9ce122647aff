/**
 * What tasks take of the heap, counted after a collection.
 *
 * <p>Imports: {@code bench.workload}, {@code core.graph}, {@code core.session}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.bench.memory;

import org.jspecify.annotations.NullMarked;
