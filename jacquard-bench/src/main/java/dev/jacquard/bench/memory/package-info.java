/**
 * What tasks take of the heap, counted after a collection.
 *
 * <p>May import the benchmarks' ground and the core.
 */
@NullMarked
package dev.jacquard.bench.memory;

import org.jspecify.annotations.NullMarked;
