package dev.jacquard.base.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Guesses which known name a misspelt one was meant to be, by edit distance. */
public final class NearestName {
    private NearestName() {}

    /**
     * The known name nearest to {@code name}, if any is so near that it is likely meant: they share a sign at least.
     */
    public static Optional<String> of(String name, Collection<String> known) {
        int most = Math.max(2, name.length() / 3);
        return known.stream()
                .filter(candidate -> distance(name, candidate) <= most)
                .filter(candidate -> distance(name, candidate) < Math.max(name.length(), candidate.length()))
                .min(Comparator.<String>comparingInt(candidate -> distance(name, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Completes an error message: "; did you mean 'x'?", or a list of the known names when nothing is near. */
    public static String hint(String name, Collection<String> known) {
        return of(name, known)
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElseGet(() -> known.isEmpty() ? "; there are none" : "; known are " + String.join(", ", known));
    }

    /** Edits that turn one into the other: insert, delete, replace, or swap two neighbours (Damerau's distance). */
    static int distance(String from, String to) {
        String a = from.toLowerCase(Locale.ROOT);
        String b = to.toLowerCase(Locale.ROOT);
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                edits[i][j] = i == 0 ? j : j == 0 ? i : cheapest(edits, a, b, i, j);
            }
        }
        return edits[a.length()][b.length()];
    }

    private static int cheapest(int[][] edits, String a, String b, int i, int j) {
        int replace = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replace, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
    }
}
