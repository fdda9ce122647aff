package dev.jacquard.expressions.targets;

import dev.jacquard.base.machine.ExecutionTarget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Paths take the targets on which they end first, the longest way to the end first.
 *
 * <pre>
 *  paths        works one after the other, of which no two run at the same time
 *  order        a path goes before another when more is to be done from its begin to the end of the step
 *  assignment   for each path the targets with the least end of all: a shortest way over works and targets, where
 *               a step costs the copies between targets, and the work
 *  coalescing   works of a path that devices compute one after the other go to one device
 * </pre>
 *
 * <p>The outcome is held against all on one target, and all on the host: it is never expected to end later.
 *
 * <p>Source: the expressions thesis, sections 3.1.13 to 3.1.15; Topcuoglu, Hariri and Wu, Performance-effective and
 * low-complexity task scheduling for heterogeneous computing, IEEE TPDS 13 (2002), section 4.2 (order and earliest
 * finish).
 */
final class Hybrid implements TargetPolicy {
    @Override
    public boolean usesTimes() {
        return true;
    }

    @Override
    public Choice choose(Step step) {
        Assigned its = new Assigned(step);
        List<List<Integer>> paths = new ArrayList<>(Paths.of(step));
        double[] ranks = ranks(step);
        paths.sort(Comparator.comparingDouble((List<Integer> path) -> -ranks[path.getFirst()])
                .thenComparing(List::getFirst));
        paths.forEach(its::assign);
        List<ExecutionTarget> targets = List.of(its.targets);
        List<String> reasons = List.of(its.reasons);
        double end = Timeline.end(step, targets);
        for (ExecutionTarget target : step.targets()) {
            List<ExecutionTarget> alone = alone(step, target);
            double itsEnd = alone.size() < step.works().size() ? end : Timeline.end(step, alone);
            if (itsEnd < end) {
                end = itsEnd;
                targets = alone;
                reasons = reasons(step, alone, "all that can be on " + target + " ends the step first");
            }
        }
        return new Choice(targets, reasons);
    }

    /**
     * Returns the target for all works that are eligible for it, and the host for others; a shorter list if neither.
     */
    private static List<ExecutionTarget> alone(Step step, ExecutionTarget target) {
        return step.works().stream()
                .filter(work ->
                        work.eligible().contains(target) || work.eligible().contains(ExecutionTarget.HOST))
                .map(work -> work.eligible().contains(target) ? target : ExecutionTarget.HOST)
                .toList();
    }

    private static List<String> reasons(Step step, List<ExecutionTarget> targets, String why) {
        return IntStream.range(0, targets.size())
                .mapToObj(i -> "\"" + step.works().get(i).name() + "\" on " + targets.get(i) + ": " + why)
                .toList();
    }

    /** Returns the mean times from the begin of each work to the end of the step, copies included. */
    private static double[] ranks(Step step) {
        List<Set<Integer>> producers = step.producers();
        double[] ranks = new double[producers.size()];
        for (int i = ranks.length - 1; i >= 0; i--) { // the dependencies of a work come before it
            Work work = step.works().get(i);
            ranks[i] += work.eligible().stream()
                    .mapToDouble(work::nanosOn)
                    .average()
                    .orElse(0);
            for (int producer : producers.get(i)) {
                double copy = meanCopy(step, step.works().get(producer), work);
                ranks[producer] = Math.max(ranks[producer], ranks[i] + copy);
            }
        }
        return ranks;
    }

    private static double meanCopy(Step step, Work from, Work to) {
        double sum = 0;
        for (int value : from.writes()) {
            if (to.reads().contains(value)) {
                long bytes = step.values().get(value).bytes();
                for (ExecutionTarget one : from.eligible()) {
                    for (ExecutionTarget other : to.eligible()) {
                        sum += one.equals(other) ? 0 : step.copies().nanos(one, other, bytes);
                    }
                }
            }
        }
        return sum / (from.eligible().size() * to.eligible().size());
    }

    @Override
    public String toString() {
        return "hybrid";
    }

    /** The works of a step that have targets so far. */
    private static final class Assigned {
        private final Step step;
        private final Timeline timeline;
        final ExecutionTarget[] targets;
        final String[] reasons;

        Assigned(Step step) {
            this.step = step;
            this.timeline = new Timeline(step);
            targets = new ExecutionTarget[step.works().size()];
            reasons = new String[targets.length];
        }

        void assign(List<Integer> path) {
            List<Work> works = path.stream().map(step.works()::get).toList();
            ExecutionTarget[] best = fastest(works);
            ExecutionTarget[] together = best.clone();
            for (int from = 0; from < together.length; ) {
                from = coalesce(works, together, from);
            }
            for (int i = 0; i < together.length; i++) {
                StringBuilder why = new StringBuilder("\"" + works.get(i).name() + "\" on " + together[i]);
                for (ExecutionTarget target : works.get(i).eligible()) {
                    why.append(String.format(
                            Locale.ROOT,
                            "%s over after %.1f µs on %s",
                            target.equals(works.get(i).eligible().getFirst()) ? ":" : ",",
                            timeline.finish(works.get(i), target) / 1e3,
                            target));
                }
                if (!together[i].equals(best[i])) {
                    why.append(", and not moved from ").append(together[i]).append(" on the way");
                }
                targets[path.get(i)] = together[i];
                reasons[path.get(i)] = why.toString();
                timeline.give(works.get(i), together[i]);
            }
        }

        /** Returns the targets with which a path ends first. */
        private ExecutionTarget[] fastest(List<Work> works) {
            int length = works.size();
            double[][] ends = new double[length][];
            int[][] before = new int[length][];
            for (int i = 0; i < length; i++) {
                List<ExecutionTarget> eligible = works.get(i).eligible();
                ends[i] = new double[eligible.size()];
                before[i] = new int[eligible.size()];
                for (int t = 0; t < eligible.size(); t++) {
                    if (i == 0) {
                        ends[i][t] = timeline.finish(works.get(i), eligible.get(t));
                        continue;
                    }
                    List<ExecutionTarget> earlier = works.get(i - 1).eligible();
                    ends[i][t] = Double.POSITIVE_INFINITY;
                    for (int s = 0; s < earlier.size(); s++) {
                        double end =
                                behind(works.get(i - 1), earlier.get(s), ends[i - 1][s], works.get(i), eligible.get(t));
                        if (end < ends[i][t]) {
                            ends[i][t] = end;
                            before[i][t] = s;
                        }
                    }
                }
            }
            ExecutionTarget[] best = new ExecutionTarget[length];
            int last = least(ends[length - 1]);
            for (int i = length - 1; i >= 0; i--) {
                best[i] = works.get(i).eligible().get(last);
                last = before[i][last];
            }
            return best;
        }

        private static int least(double... numbers) {
            int least = 0;
            for (int i = 1; i < numbers.length; i++) {
                least = numbers[i] < numbers[least] ? i : least;
            }
            return least;
        }

        /** Returns the end of a work on a target after the work before it on its path, which ends elsewhere. */
        private double behind(Work before, ExecutionTarget from, double ended, Work work, ExecutionTarget target) {
            double start = Math.max(timeline.free(target), ended);
            for (int value : work.reads()) {
                boolean passed = before.writes().contains(value);
                double there = passed ? ended + timeline.copy(from, target, value) : timeline.arrival(value, target);
                start = Math.max(start, there);
            }
            return start + work.nanosOn(target);
        }

        private double end(List<Work> works, ExecutionTarget... path) {
            double end = timeline.finish(works.getFirst(), path[0]);
            for (int i = 1; i < path.length; i++) {
                end = behind(works.get(i - 1), path[i - 1], end, works.get(i), path[i]);
            }
            return end;
        }

        /** Puts the works of devices from one on to one device; returns the first work after them. */
        private int coalesce(List<Work> works, ExecutionTarget[] path, int from) {
            if (path[from].equals(ExecutionTarget.HOST)) {
                return from + 1;
            }
            List<ExecutionTarget> common = devices(works.get(from));
            int to = from + 1;
            while (to < path.length && !path[to].equals(ExecutionTarget.HOST)) {
                List<ExecutionTarget> both = new ArrayList<>(common);
                both.retainAll(works.get(to).eligible());
                if (both.isEmpty()) {
                    break; // no device can compute all of them
                }
                common = both;
                to++;
            }
            ExecutionTarget[] best = null;
            for (ExecutionTarget device : common) {
                ExecutionTarget[] on = path.clone();
                Arrays.fill(on, from, to, device);
                if (best == null || end(works, on) < end(works, best)) {
                    best = on;
                }
            }
            if (best != null) {
                System.arraycopy(best, 0, path, 0, path.length);
            }
            return to;
        }

        private static List<ExecutionTarget> devices(Work work) {
            return work.eligible().stream()
                    .filter(target -> !target.equals(ExecutionTarget.HOST))
                    .toList();
        }
    }
}
