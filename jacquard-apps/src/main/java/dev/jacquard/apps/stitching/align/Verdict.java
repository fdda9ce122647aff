package dev.jacquard.apps.stitching.align;

/**
 * The verdict on a pair.
 *
 * @param trusted whether the displacement is certain: its images speak for it, and neither the stage nor the loops of
 *     neighbours contradict it
 */
public record Verdict(Measurement measurement, boolean trusted) {}
