package dev.jacquard.expressions.files;

import java.util.Locale;

/** A colour for each value between two others. */
public enum ColourMap {
    /**
     * A helix through the colours from black to white. Its lightness grows evenly, so that prints in gray show the same
     * order.
     *
     * <p>Source: D. A. Green, A colour scheme for the display of astronomical intensity images, Bulletin of the
     * Astronomical Society of India 39 (2011), equation 2, with its default parameters.
     */
    CUBEHELIX {
        @Override
        double[] colour(double share) {
            double angle = 2 * Math.PI * (START / 3 + 1 + ROTATIONS * share);
            double cos = share * (1 - share) / 2 * StrictMath.cos(angle);
            double sin = share * (1 - share) / 2 * StrictMath.sin(angle);
            return new double[] {
                share - 0.14861 * cos + 1.78277 * sin, share - 0.29227 * cos - 0.90649 * sin, share + 1.97294 * cos
            };
        }
    },

    /**
     * From blue through light gray to red, for values of both signs: zero is gray. A slice without a range has one that
     * is symmetric to zero.
     *
     * <p>Source: K. Moreland, Diverging color maps for scientific visualization, Advances in Visual Computing (2009):
     * even steps of magnitude and hue in a polar form of CIELAB.
     */
    COOL_WARM {
        @Override
        double[] colour(double share) {
            return PolarLab.between(BLUE, RED, share);
        }
    };

    /** The number of colours of a map. */
    static final int COLOURS = 252;

    /** The number of the colour of NaN in a palette. */
    static final int NAN = COLOURS;

    /** The number of the colour around a map's picture. */
    static final int PAPER = COLOURS + 1;

    /** The number of the colour of text. */
    static final int INK = COLOURS + 2;

    private static final double START = 0.5;
    private static final double ROTATIONS = -1.5;
    private static final double[] BLUE = {59 / 255.0, 76 / 255.0, 192 / 255.0};
    private static final double[] RED = {180 / 255.0, 4 / 255.0, 38 / 255.0};

    /** Returns red, green and blue at a share of the range, each mostly from 0 to 1. */
    abstract double[] colour(double share);

    /** Returns true if the colours diverge from that of zero. */
    boolean isDiverging() {
        return this == COOL_WARM;
    }

    /** Returns red, green and blue of each colour in turn: those of the map, of NaN, of paper and of ink. */
    byte[] palette() {
        byte[] palette = new byte[3 * (INK + 1)];
        for (int i = 0; i < COLOURS; i++) {
            double[] colour = colour(i / (COLOURS - 1.0));
            for (int c = 0; c < 3; c++) {
                palette[3 * i + c] = (byte) Math.round(255 * Math.clamp(colour[c], 0, 1));
            }
        }
        palette[3 * NAN] = (byte) 255;
        for (int c = 0; c < 3; c++) {
            palette[3 * PAPER + c] = (byte) 255;
            palette[3 * INK + c] = 32;
        }
        return palette;
    }

    /** Returns the number of a value's colour, which is the same in all maps. */
    static byte number(double value, Slice.Range range) {
        if (Double.isNaN(value)) {
            return (byte) NAN;
        }
        double width = 0.5 * range.high() - 0.5 * range.low(); // halves do not overflow
        double share = width == 0
                ? (value < range.low() ? 0 : value > range.high() ? 1 : 0.5)
                : (0.5 * value - 0.5 * range.low()) / width;
        return (byte) Math.clamp((long) Math.floor(share * COLOURS), 0, COLOURS - 1);
    }

    /** Returns the name as papers write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
