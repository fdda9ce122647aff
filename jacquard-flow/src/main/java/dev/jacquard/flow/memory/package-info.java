/**
 * Memory edges: a bounded number of buffers that travel with the items of a stream.
 *
 * <pre>
 *  Allocator --> pool --take(rule)--> handle in an item --> ... --release(handle)--> rule: free? --> pool
 * </pre>
 *
 * <p>{@link dev.jacquard.flow.memory.SizedEdge} bounds bytes as well, {@link dev.jacquard.flow.memory.KeyedEdge} keeps
 * contents by key, and {@link dev.jacquard.flow.memory.Permit permits} throttle without buffers.
 *
 * <p>To change when a buffer is free, write a {@link dev.jacquard.flow.memory.ReleaseRule}; to change the kind of
 * buffer, write an {@link dev.jacquard.flow.memory.MemoryEdge.Allocator}; to change what a keyed edge keeps, write a
 * {@link dev.jacquard.flow.memory.EvictionPolicy}.
 *
 * <p>Imports: {@code core.graph}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.flow.memory;

import org.jspecify.annotations.NullMarked;
