package dev.jacquard.flow.report;

/** A profile as a picture. */
final class SvgDrawing {
    private final FlowProfile profile;

    SvgDrawing(FlowProfile profile) {
        this.profile = profile;
    }

    String text() {
        return profile.graph();
    }
}
