/**
 * Which replica leaves a memory that is full.
 *
 * <pre>
 *  CachePolicy --makes, per memory--> EvictionOrder &lt;--inserted, used, removed-- the engine
 *                                          |
 *                                          +--victim--> a CachePolicy.Entry that may go
 * </pre>
 *
 * <p>A policy says which replica is to go, not whether it can: replicas that tasks use, replicas that are being copied
 * and the user's own arrays never go, and the only newest version is written to the next memory first. To add one: a
 * class that implements {@link dev.jacquard.memory.cache.CachePolicy}, given to
 * {@code Session.builder().cachePolicy(...)}.
 *
 * <p>Source: the abstract-runtime-system document, section II-C4.
 *
 * <p>Imports: {@code base.text}, {@code memory.data}.
 */
@NullMarked
package dev.jacquard.memory.cache;

import org.jspecify.annotations.NullMarked;
