package dev.jacquard.apps.stitching.align;

/**
 * A measured displacement of a pair.
 *
 * @param dx to the right, in pixels
 * @param dy down, in pixels
 * @param correlation the cross-correlation factor of the overlap, -1 to 1; 0 when it is undefined, since a tile is
 *     blank there
 * @param certainty by how many nats the images speak for this displacement rather than for the best other one that was
 *     tried; see {@link Evidence}
 * @param partX by which part of a pixel the best place lies to the right of {@code dx}, -0.5 to 0.5
 * @param partY the same, down
 * @param doubt the reason why the images do not decide for this displacement, whatever their lead
 */
public record Measurement(
        Pair pair, int dx, int dy, double correlation, double certainty, double partX, double partY, Doubt doubt) {
    /**
     * The certainty from which a measurement can stand alone. A search sees up to 10^6 displacements, so that chance
     * yields about ln 10^6 = 14 nats; the rest is margin for effects that the model of the noise leaves out.
     */
    static final double CERTAIN = 30;

    /** A displacement of whole pixels, without a doubt. */
    public Measurement(Pair pair, int dx, int dy, double correlation, double certainty) {
        this(pair, dx, dy, correlation, certainty, 0, 0, Doubt.NONE);
    }

    /** Nothing could be measured; the displacement is only a guess. */
    static Measurement none(Pair pair, int dx, int dy) {
        return new Measurement(pair, dx, dy, 0, 0);
    }

    /** A measurement that says a little; that several of them agree says more. */
    static final double HINT = 1;

    /** Returns true if the images speak for this displacement, if not with certainty. */
    boolean hinted() {
        return certainty >= HINT;
    }

    boolean certain() {
        return certainty >= CERTAIN;
    }
}
