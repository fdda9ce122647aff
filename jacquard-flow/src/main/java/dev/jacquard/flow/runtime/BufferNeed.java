package dev.jacquard.flow.runtime;

/**
 * The buffers of one pool that each item of a stage needs; a stage has at most one need per pool.
 *
 * @param pool the pool of the buffers
 * @param count the number of buffers
 */
record BufferNeed(Pool pool, int count) {}
