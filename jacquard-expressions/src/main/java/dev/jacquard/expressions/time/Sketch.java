package dev.jacquard.expressions.time;

/**
 * A linear map of states to short vectors, which nearly keeps the angles between the few states of a search. Each value
 * goes to two places of its field's part with a sign that its number decides; of short states each has a place of its
 * own, and the map keeps all. Immutable.
 *
 * <p>Source: Nakatsukasa and Tropp, Fast and accurate randomized algorithms for linear systems and eigenvalue problems,
 * SIAM Journal on Matrix Analysis and Applications 45 (2024).
 */
final class Sketch {
    private static final int MOST = 4096;
    /** The factor with which a value goes to each of its two places. */
    private static final double SHARE = Math.sqrt(0.5);

    private final boolean isExact;
    private final int size;
    private final int perField;

    Sketch(States states) {
        isExact = states.values() <= MOST;
        perField = Math.max(64, MOST / states.fields());
        size = isExact ? (int) states.values() : perField * states.fields();
    }

    /** Returns the length of a short vector. */
    int size() {
        return size;
    }

    /** Returns true if a short vector has all values of a state, in their order. */
    boolean isExact() {
        return isExact;
    }

    /** Returns the field that an element of a short vector belongs to. */
    int field(int element, States states) {
        if (!isExact) {
            return element / perField;
        }
        int field = 0;
        while (element >= states.firstPoint(field + 1)) {
            field++;
        }
        return field;
    }

    /** Adds the values of a piece to a short vector. */
    void add(States.Piece piece, double[] values, double[] to) {
        if (isExact) {
            for (int i = 0; i < piece.points(); i++) {
                to[(int) piece.first() + i] += values[i];
            }
            return;
        }
        for (int half = 0; half < 2; half++) {
            // The values of a piece go to places side by side, from a drawn one on, each with a drawn sign.
            long number = 2 * piece.first() + half;
            int place = (int) (((mix(number) >>> 33) * perField) >>> 31);
            for (int i = 0; i < piece.points(); ) {
                int count = Math.min(piece.points() - i, Math.min(perField - place, Long.SIZE));
                add(values, i, count, mix(number + 2L * (i + 1)), to, piece.field() * perField + place);
                i += count;
                place = (place + count) % perField;
            }
        }
    }

    private static void add(double[] values, int from, int count, long signs, double[] to, int place) {
        for (int i = 0; i < count; i++) {
            long sign = signs << i & Long.MIN_VALUE;
            double value = values[from + i] * SHARE;
            to[place + i] += Double.longBitsToDouble(Double.doubleToRawLongBits(value) ^ sign);
        }
    }

    /** Returns bits that look drawn: a bijection of 64 bits with output bits that depend on all input bits. */
    static long mix(long number) {
        long z = (number + 1) * 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
