package dev.jacquard.core.testing.random;

import java.util.List;

/** The jobs of a program whose order makes a difference; others commute. Confined to one thread. */
final class Conflicts {
    private final Program program;

    Conflicts(Program program) {
        this.program = program;
    }

    /** Returns whether it makes a difference which are submitted first. */
    boolean conflict(List<Job> some, List<Job> others) {
        return some.stream().anyMatch(one -> others.stream().anyMatch(other -> conflict(one, other)));
    }

    /** Returns whether it makes a difference which of the two is submitted first. */
    private boolean conflict(Job one, Job other) {
        boolean alone = one.isUnordered() || other.isUnordered();
        boolean grouped = one.graph() == other.graph()
                && one.manner().grouped()
                && other.manner().grouped(); // by one thread at a time
        boolean tagged = isTagged(one, other) || isTagged(other, one);
        return alone || grouped || tagged || meet(one, other);
    }

    private static boolean isTagged(Job one, Job other) {
        return one.ties().tag() > 0 && one.ties().tag() == other.ties().afterTag();
    }

    private boolean meet(Job one, Job other) {
        List<Touch> mine = one.all().flatMap(job -> job.touches().stream()).toList();
        List<Touch> theirs = other.all().flatMap(job -> job.touches().stream()).toList();
        for (Touch a : mine) {
            for (Touch b : theirs) {
                boolean commute = a.how().isUnordered() && b.how().isUnordered();
                if (!commute && a.how().conflicts(b.how()) && program.meet(a, b)) {
                    return true;
                }
            }
        }
        return false;
    }
}
