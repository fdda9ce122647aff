package dev.jacquard.core.testing;

import java.util.function.Predicate;

/** Makes a failing program small. */
public final class Shrink {
    private Shrink() {}

    /**
     * Leaves lines out while the program still fails: halves first, single lines last.
     *
     * @param failing a program for which {@code fails} holds
     * @param fails whether a program shows the failure; asked often, so it should be quick and depend on the program alone
     */
    public static Program minimal(Program failing, Predicate<Program> fails) {
        Program smallest = failing;
        for (int chunk = Math.max(1, failing.lines().size() / 2); chunk > 0; chunk /= 2) {
            for (int from = smallest.lines().size() - chunk; from >= 0; from -= chunk) {
                Program smaller = smallest.without(from, from + chunk);
                if (fails.test(smaller)) {
                    smallest = smaller;
                }
                from = Math.min(from, smallest.lines().size());
            }
        }
        return smallest;
    }
}
