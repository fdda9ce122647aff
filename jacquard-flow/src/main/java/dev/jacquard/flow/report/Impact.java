package dev.jacquard.flow.report;

import java.util.Locale;

/** The colour of a task: from pale to strong with its share of the compute time. */
final class Impact {
    private static final int[] PALE = {0xf3, 0xf6, 0xfa};
    private static final int[] MIDDLE = {0xfd, 0xd0, 0x8b};
    private static final int[] STRONG = {0xf4, 0x7a, 0x60};

    private Impact() {}

    static String colour(double share) {
        double bounded = Math.clamp(share, 0, 1);
        return bounded < 0.35 ? mixed(PALE, MIDDLE, bounded / 0.35) : mixed(MIDDLE, STRONG, (bounded - 0.35) / 0.65);
    }

    private static String mixed(int[] from, int[] to, double part) {
        StringBuilder colour = new StringBuilder("#");
        for (int i = 0; i < 3; i++) {
            colour.append(String.format(Locale.ROOT, "%02x", Math.round(from[i] + (to[i] - from[i]) * part)));
        }
        return colour.toString();
    }
}
