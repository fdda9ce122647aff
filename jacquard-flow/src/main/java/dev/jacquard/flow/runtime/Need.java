package dev.jacquard.flow.runtime;

/**
 * The buffers of one pool that each item of a stage needs; a stage has at most one need per pool.
 *
 * @param pool where the buffers come from
 * @param count how many
 */
record Need(Pool pool, int count) {}
