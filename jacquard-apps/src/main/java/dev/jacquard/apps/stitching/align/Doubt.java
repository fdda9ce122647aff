package dev.jacquard.apps.stitching.align;

/**
 * The reason why the images of a pair do not decide between its displacement and another one.
 *
 * @param kind the relation of both displacements
 * @param x the other displacement minus the measured one, to the right, in pixels; 0 without a doubt
 * @param y the same, down
 */
public record Doubt(Kind kind, int x, int y) {
    /** The images decide. */
    public static final Doubt NONE = new Doubt(Kind.NONE, 0, 0);

    /** The relation of two displacements that fit alike. */
    public enum Kind {
        /** There is no other displacement. */
        NONE,
        /** The overlap is similar to itself under the shift from one to the other. */
        PERIODIC,
        /** All displacements between both fit alike, as along a straight edge or a fibre. */
        SLIDES,
        /** The overlap is not similar to itself under that shift. */
        AMBIGUOUS
    }

    /** Returns true if the images decide. */
    public boolean isNone() {
        return kind == Kind.NONE;
    }

    /** The reason as reports state it; empty without a doubt. */
    @Override
    public String toString() {
        return switch (kind) {
            case NONE -> "";
            case PERIODIC -> "periodic " + shift();
            case SLIDES -> "slides along " + shift();
            case AMBIGUOUS -> "ambiguous, fits as well at a shift of " + shift();
        };
    }

    private String shift() {
        if (y == 0) {
            return "x " + Math.abs(x) + " px";
        }
        return x == 0 ? "y " + Math.abs(y) + " px" : "(" + x + ", " + y + ") px";
    }
}
