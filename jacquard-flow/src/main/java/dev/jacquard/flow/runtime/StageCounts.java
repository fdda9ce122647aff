package dev.jacquard.flow.runtime;

import java.util.List;

/**
 * The counts of a stage at one moment.
 *
 * @param total the counts of all its copies, and of items that ended without a copy
 * @param copies the counts of each copy
 * @param producers the number of active producers
 * @param queued the number of items that wait, including those that wait for buffers
 * @param gated the number of items that wait for buffers
 * @param largest the largest number of items that waited
 */
record StageCounts(ItemCounters total, List<ItemCounters> copies, int producers, int queued, int gated, long largest) {}
