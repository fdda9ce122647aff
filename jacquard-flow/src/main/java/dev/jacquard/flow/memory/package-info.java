/**
 * Memory edges: a bounded number of buffers that travel with the items of a stream.
 *
 * <pre>
 *  Allocator --> pool --take(rule)--> handle in an item --> ... --release(handle)--> rule: free? --> pool
 * </pre>
 *
 * <p>To change when a buffer is free, write a {@link dev.jacquard.flow.memory.ReleaseRule}; to change the kind of
 * buffer, write an {@link dev.jacquard.flow.memory.MemoryEdge.Allocator}.
 *
 * <p>Imports: {@code memory.data}.
 */
@NullMarked
package dev.jacquard.flow.memory;

import org.jspecify.annotations.NullMarked;
