package dev.jacquard.apps.stitching.align;

/**
 * What became of a pair.
 *
 * @param trusted whether the displacement is certain: its images speak for it, and neither the stage nor the loops of
 *     neighbours contradict it
 */
public record Verdict(Measurement measurement, boolean trusted) {}
