package dev.jacquard.apps.stitching.pairs;

import dev.jacquard.apps.stitching.align.Measurement;
import dev.jacquard.flow.report.FlowProfile;
import java.util.List;

/**
 * The findings of phase 1.
 *
 * @param measurements one per pair, in the grid's order of pairs
 * @param profile where the time went
 * @param peakLive how many transforms lived at most
 */
public record Displacements(List<Measurement> measurements, FlowProfile profile, int peakLive) {
    public Displacements {
        measurements = List.copyOf(measurements);
    }
}
