package dev.jacquard.core.testing.random;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes failing programs smaller: leaves out tasks as long as the program fails in one of some tries. */
final class Shrinking {
    private final Runner runner;
    private final int tries;

    Shrinking(Runner runner, int tries) {
        this.runner = runner;
        this.tries = tries;
    }

    Program shrink(Program program) {
        Program smallest = program;
        List<Integer> ids = smallest.all().map(Job::id).toList();
        for (int chunk = Math.max(1, ids.size() / 2); chunk >= 1; chunk /= 2) {
            for (int at = ids.size() - 1; at >= 0; at -= chunk) {
                Set<Integer> gone = new HashSet<>(ids.subList(Math.max(0, at - chunk + 1), at + 1));
                Program smaller = smallest.without(gone);
                if (smaller.all().count() < smallest.all().count() && fails(smaller)) {
                    smallest = smaller;
                }
            }
        }
        return smallest;
    }

    private boolean fails(Program program) {
        for (int i = 0; i < tries; i++) {
            if (!runner.run(program).isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
