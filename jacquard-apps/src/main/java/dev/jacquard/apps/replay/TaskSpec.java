package dev.jacquard.apps.replay;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A task, or a sub-task.
 *
 * @param name unique in the program, sub-tasks included
 * @param micros how long its body spins
 * @param accesses in the file's order; several may name the same resource
 * @param after names of earlier tasks at the same level
 * @param flags properties for its whole lifecycle
 * @param priority larger is more urgent
 * @param fails whether its body throws at its end
 * @param refine the sub-tasks that its body submits when it starts
 * @param demote the rights that it gives up, in the file's order
 */
record TaskSpec(
        String name,
        double micros,
        List<AccessSpec> accesses,
        List<String> after,
        Set<TaskFlag> flags,
        int priority,
        boolean fails,
        List<TaskSpec> refine,
        List<DemoteSpec> demote) {

    /** A year: longer times are mistakes. */
    public static final double MOST_MICROS = 365.0 * 24 * 3600 * 1e6;

    public TaskSpec {
        if (!(micros >= 0 && micros <= MOST_MICROS)) {
            throw new IllegalArgumentException(
                    "task \"" + name + "\" cannot take " + micros + " microseconds: from 0 on, at most a year");
        }
        accesses = List.copyOf(accesses);
        after = List.copyOf(after);
        flags = Set.copyOf(flags);
        refine = List.copyOf(refine);
        demote = List.copyOf(demote);
    }

    public boolean has(TaskFlag flag) {
        return flags.contains(flag);
    }

    /** The demotions in the order in which they happen: by time; at the same time in the order of the file. */
    public List<DemoteSpec> demotionsInOrder() {
        return demote.stream()
                .sorted(Comparator.comparingDouble(DemoteSpec::at))
                .toList();
    }

    /** The same task, and all below it, with {@code factor} times their times. */
    public TaskSpec scaled(double factor) {
        List<TaskSpec> subs = refine.stream().map(sub -> sub.scaled(factor)).toList();
        return new TaskSpec(name, micros * factor, accesses, after, flags, priority, fails, subs, demote);
    }

    /** This task and all below it. */
    public Stream<TaskSpec> all() {
        return Stream.concat(Stream.of(this), refine.stream().flatMap(TaskSpec::all));
    }
}
