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
        int from = piece.field() * perField;
        for (int i = 0; i < piece.points(); i++) {
            long bits = mix(piece.first() + i);
            double value = values[i] * Math.sqrt(0.5);
            to[from + place(bits >>> 33)] += (bits & 1) == 0 ? value : -value;
            to[from + place(bits >>> 2 & 0x7fffffff)] += (bits & 2) == 0 ? value : -value;
        }
    }

    private int place(long bits) {
        return (int) ((bits * perField) >>> 31);
    }

    /** Returns bits that look drawn: a bijection of 64 bits whose output bits depend on all input bits. */
    static long mix(long number) {
        long z = (number + 1) * 0x9e3779b97f4a7c15L;
        z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
        z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
        return z ^ z >>> 31;
    }
}
