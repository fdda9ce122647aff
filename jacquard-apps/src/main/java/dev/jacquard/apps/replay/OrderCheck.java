package dev.jacquard.apps.replay;

import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/** The tasks of one level that must not overlap, and the tasks that must come first. */
final class OrderCheck {
    private final ResourceTree tree;
    private final BiPredicate<AccessSpec, AccessSpec> ordered;
    private final BiPredicate<AccessSpec, AccessSpec> exclusive;
    private final Consumer<String> violations;

    OrderCheck(ResourceTree tree, AccessRights rights, Consumer<String> violations) {
        this.tree = tree;
        this.ordered = (one, other) -> !tree.isUnordered(one.resource()) && rights.conflict(one, other);
        this.exclusive = (one, other) -> tree.isUnordered(one.resource()) && rights.conflict(one, other);
        this.violations = violations;
    }

    /** Checks all pairs; {@code level} is in the order of submission. */
    void check(List<TaskRun> level) {
        List<TaskRun> ran = level.stream().filter(TaskRun::ran).toList();
        Marks marks = new Marks(tree, ran);
        for (int later = 1; later < ran.size(); later++) {
            for (int earlier = marks.suspect(later, 0); earlier < later; earlier = marks.suspect(later, earlier + 1)) {
                checkOverlap(ran.get(earlier), ran.get(later));
            }
        }
    }

    private void checkOverlap(TaskRun earlier, TaskRun later) {
        if (later.spec().after().contains(earlier.spec().name())) {
            tooEarly(later, earlier, earlier.end(), "which it names in \"after\"");
        } else if (earlier.spec().has(TaskFlag.SYNCHRONIZING)) {
            tooEarly(later, earlier, earlier.end(), "which is synchronizing");
        } else if (later.spec().has(TaskFlag.SYNCHRONIZING)) {
            tooEarly(later, earlier, earlier.end(), "though it is synchronizing");
        } else {
            long free = earlier.outOfTheWay(later, ordered);
            if (later.start() < free) {
                tooEarly(later, earlier, free, "with which it conflicts");
            }
        }
        checkExclusion(earlier, later);
    }

    private void checkExclusion(TaskRun one, TaskRun other) {
        boolean otherIsFirst = other.start() < one.start();
        TaskRun first = otherIsFirst ? other : one;
        TaskRun second = otherIsFirst ? one : other;
        long free = first.outOfTheWay(second, exclusive);
        if (second.start() < free) {
            violations.accept(second.name() + " started at " + second.start() + " while " + first.name()
                    + " had, until " + free + ", what excludes it");
        }
    }

    private void tooEarly(TaskRun later, TaskRun earlier, long free, String why) {
        violations.accept(later.name() + " started at " + later.start() + ", before " + free + ", when "
                + earlier.name() + ", " + why + ", " + (free == earlier.end() ? "was over" : "gave way"));
    }
}
