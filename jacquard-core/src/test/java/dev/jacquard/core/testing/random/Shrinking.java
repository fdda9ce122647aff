package dev.jacquard.core.testing.random;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Makes what fails smaller, as long as it fails: programs, by leaving out tasks, and the choices of schedules. */
final class Shrinking {
    private Shrinking() {}

    static Program program(Program failing, Predicate<Program> fails) {
        Program smallest = failing;
        List<Integer> ids = smallest.all().map(Job::id).toList();
        for (int chunk = Math.max(1, ids.size() / 2); chunk >= 1; chunk /= 2) {
            for (int at = ids.size() - 1; at >= 0; at -= chunk) {
                Set<Integer> gone = new HashSet<>(ids.subList(Math.max(0, at - chunk + 1), at + 1));
                Program smaller = smallest.without(gone);
                if (smaller.all().count() < smallest.all().count() && fails.test(smaller)) {
                    smallest = smaller;
                }
            }
        }
        return smallest;
    }

    /** Leaves out halves of choices and less, then makes one after the other 0; behind their end all are 0. */
    static int[] choices(int[] failing, Predicate<int[]> fails) {
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
