package dev.jacquard.expressions.files;

/**
 * The colours of values: a helix through the colours from black to white whose lightness grows evenly, so that prints
 * in gray show the same order, and red for what is no number.
 *
 * <p>Source: D. A. Green, A colour scheme for the display of astronomical intensity images, Bulletin of the
 * Astronomical Society of India 39 (2011), equation 2, with its default parameters.
 */
final class ColourMap {
    /** The colours of values; the one behind is that of NaN. */
    static final int COLOURS = 255;

    private static final double START = 0.5;
    private static final double ROTATIONS = -1.5;

    private ColourMap() {}

    /** Returns red, green and blue of each colour in turn. */
    static byte[] palette() {
        byte[] palette = new byte[3 * (COLOURS + 1)];
        for (int i = 0; i < COLOURS; i++) {
            double light = i / (COLOURS - 1.0);
            double angle = 2 * Math.PI * (START / 3 + 1 + ROTATIONS * light);
            double cos = light * (1 - light) / 2 * StrictMath.cos(angle);
            double sin = light * (1 - light) / 2 * StrictMath.sin(angle);
            palette[3 * i] = level(light - 0.14861 * cos + 1.78277 * sin);
            palette[3 * i + 1] = level(light - 0.29227 * cos - 0.90649 * sin);
            palette[3 * i + 2] = level(light + 1.97294 * cos);
        }
        palette[3 * COLOURS] = (byte) 255;
        return palette;
    }

    private static byte level(double share) {
        return (byte) Math.round(255 * Math.clamp(share, 0, 1));
    }

    /** Returns the number of a value's colour. */
    static byte colour(double value, Slice.Range range) {
        if (Double.isNaN(value)) {
            return (byte) COLOURS;
        }
        double width = 0.5 * range.high() - 0.5 * range.low(); // halves do not overflow
        double share = width == 0
                ? (value < range.low() ? 0 : value > range.high() ? 1 : 0.5)
                : (0.5 * value - 0.5 * range.low()) / width;
        return (byte) Math.clamp((long) Math.floor(share * COLOURS), 0, COLOURS - 1);
    }
}
