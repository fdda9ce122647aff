package dev.jacquard.core.testing;

import java.util.function.Predicate;

/** Makes what fails small. */
public final class Shrink {
    /** So many tries and no more: what is left is small enough then. */
    private static final int MOST_TRIES = 5_000;

    private Shrink() {}

    /**
     * Tries simpler programs while one of them still fails.
     *
     * @param failing a program for which {@code fails} holds
     * @param fails whether a program shows the failure; asked often, so it should be quick and depend on the program alone
     */
    public static Program minimal(Program failing, Predicate<Program> fails) {
        Program smallest = failing;
        int tries = 0;
        for (boolean smaller = true; smaller; ) {
            smaller = false;
            for (Program candidate : (Iterable<Program>) smallest.simpler()::iterator) {
                if (++tries > MOST_TRIES) {
                    return smallest;
                }
                if (fails.test(candidate)) {
                    smallest = candidate;
                    smaller = true;
                    break;
                }
            }
        }
        return smallest;
    }

    /**
     * Tries shorter and plainer lists of choices while one of them still fails: halves left out first, then one made 0.
     *
     * @param failing choices for which {@code fails} holds
     * @param fails whether choices show the failure; behind their end all are 0
     */
    public static int[] choices(int[] failing, Predicate<int[]> fails) {
        int[] smallest = failing;
        for (int chunk = Math.max(1, failing.length / 2); chunk > 0; chunk /= 2) {
            for (int from = smallest.length - chunk; from >= 0; from -= chunk) {
                int[] without = new int[smallest.length - chunk];
                System.arraycopy(smallest, 0, without, 0, from);
                System.arraycopy(smallest, from + chunk, without, from, without.length - from);
                if (fails.test(without)) {
                    smallest = without;
                }
                from = Math.min(from, smallest.length);
            }
        }
        for (int i = 0; i < smallest.length; i++) {
            int[] plainer = smallest.clone();
            plainer[i] = 0;
            if (smallest[i] != 0 && fails.test(plainer)) {
                smallest = plainer;
            }
        }
        return smallest;
    }
}
