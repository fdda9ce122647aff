package dev.jacquard.core.testing.random;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The order in which the top-level jobs of a program are submitted. Threads: submitters. */
final class Order {
    private final Program program;
    private final List<Seen> submitted = Collections.synchronizedList(new ArrayList<>());

    Order(Program program) {
        this.program = program;
    }

    /** The next one is submitted now. */
    void add(Seen next) {
        synchronized (submitted) {
            next.place = submitted.size();
            submitted.add(next);
        }
    }

    /** Returns how many were submitted so far, or are about to be. */
    int count() {
        return submitted.size();
    }

    /** True if all that were submitted so far are so. While no other thread submits. */
    boolean allMatch(Predicate<Seen> test) {
        return submitted.stream().allMatch(test);
    }

    /**
     * Returns all in their order; what components submit side by side in the order of the program, which is as good.
     * When all is over.
     */
    List<Seen> all(Log log) {
        List<Seen> all = new ArrayList<>(submitted);
        if (program.setting().listens()) {
            all.sort(Comparator.comparingLong(its -> log.number(its.job)));
        } else if (program.composition() != null) {
            Map<Integer, Integer> places = new HashMap<>();
            for (int i = 0; i < program.jobs().size(); i++) {
                int place = i;
                program.jobs().get(i).all().forEach(job -> places.put(job.id(), place));
            }
            all.sort(Comparator.comparing(its -> places.get(its.job.id())));
        }
        return all;
    }
}
