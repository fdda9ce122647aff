package dev.jacquard.flow.runtime;

/**
 * The counts of a stage at one moment.
 *
 * @param total the counts of all its copies
 * @param producers the number of active producers
 * @param queued the number of items that wait, including those that wait for buffers
 * @param gated the number of items that wait for buffers
 * @param largest the largest number of items that waited
 */
record StageCounts(ItemCounters total, int producers, int queued, int gated, long largest) {}
