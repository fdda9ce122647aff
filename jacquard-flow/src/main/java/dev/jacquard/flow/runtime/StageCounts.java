package dev.jacquard.flow.runtime;

/**
 * The counts of a stage at one moment.
 *
 * @param total what its copies did
 * @param producers those that are active
 * @param queued the number of items that wait, including those that wait for buffers
 * @param gated the number of items that wait for buffers
 * @param largest the largest number of items that waited
 */
record StageCounts(ItemCounters total, int producers, int queued, int gated, long largest) {}
