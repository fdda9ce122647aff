package dev.jacquard.expressions.targets;

import dev.jacquard.expressions.targets.TargetPolicy.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The works of a step as paths: works one after the other, each the only one that needs the work before it, and which
 * needs no other. No two works of a path can be computed at the same time.
 *
 * <p>Source: the expressions thesis, section 3.1.15.
 */
final class Paths {
    private Paths() {}

    /** Returns all paths, by their first works; each work is in one. */
    static List<List<Integer>> of(Step step) {
        List<Set<Integer>> producers = step.producers();
        int[] consumers = new int[producers.size()];
        producers.forEach(its -> its.forEach(producer -> consumers[producer]++));
        List<List<Integer>> paths = new ArrayList<>();
        List<List<Integer>> pathOf = new ArrayList<>();
        for (int work = 0; work < producers.size(); work++) {
            Set<Integer> before = producers.get(work);
            int only = before.size() == 1 ? before.iterator().next() : -1;
            if (only >= 0 && consumers[only] == 1) {
                pathOf.add(pathOf.get(only));
            } else {
                List<Integer> path = new ArrayList<>();
                paths.add(path);
                pathOf.add(path);
            }
            pathOf.get(work).add(work);
        }
        return paths;
    }
}
