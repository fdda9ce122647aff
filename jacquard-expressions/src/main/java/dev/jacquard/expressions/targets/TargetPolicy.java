package dev.jacquard.expressions.targets;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.engine.schedule.Policies;
import dev.jacquard.engine.schedule.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.Set;

/**
 * A rule that says on which target each expression of a step is computed: on the host, or on one of the devices.
 *
 * <pre>{@code
 * TreeRuns runs = TreeRuns.of(tree, fields, TargetPolicy.hybrid());
 * runs.run();                            // measures, in the first runs
 * }</pre>
 *
 * <p>{@link #of} takes the rule of any scheduling policy. A rule is a function: the same step gives the same choice. It
 * is asked again when something has changed: when all times are measured, and when a device was lost.
 *
 * <p>Threads: any; the step is confined to the call.
 *
 * <p>Source: the expressions thesis, sections 3.1.13 to 3.1.16.
 */
@FunctionalInterface
public interface TargetPolicy {
    /** Returns a target for each work of the step, one of the targets that it is eligible for. */
    Choice choose(Step step);

    /**
     * Returns true if each work is to be measured on each target that it is eligible for, in the first steps, before
     * the policy is asked.
     */
    default boolean usesTimes() {
        return false;
    }

    /** Returns the policy that leaves all on the host except works that the user has assigned elsewhere. */
    static TargetPolicy host() {
        return step -> new Choice(
                step.works().stream()
                        .map(work -> work.eligible().contains(ExecutionTarget.HOST)
                                ? ExecutionTarget.HOST
                                : work.eligible().getFirst())
                        .toList(),
                step.works().stream()
                        .map(work -> "\"" + work.name() + "\" on the host, unless it is assigned elsewhere")
                        .toList());
    }

    /**
     * Returns the rule of a scheduling policy: its plan of the whole step where it {@linkplain Policy#graphPlacement
     * places graphs}, else its placement, which is asked work by work, in their order. A policy without a placement
     * lets each work go where it is expected to end first.
     *
     * <p>A choice throws a {@link dev.jacquard.engine.schedule.PolicyException} if the policy breaks its contract.
     */
    static TargetPolicy of(Policy policy) {
        return new PolicyTargets(policy);
    }

    /** Returns the rule of the policy {@code round-robin}: the works take their eligible targets in turn. */
    static TargetPolicy roundRobin() {
        return of(Policies.named("round-robin"));
    }

    /**
     * Returns the rule of the policy {@code minimum-load}: each work goes, in their order, to the target with the least
     * work so far: by measured times, and as long as there are none by the number of works.
     */
    static TargetPolicy minimumLoad() {
        return of(Policies.named("minimum-load"));
    }

    /**
     * Returns the rule of the policy {@code hybrid}, which measures first and then lets each path of works end as early
     * as it can, copies included; on a path, works that devices compute one after the other are all on one device, so
     * that nothing between them is moved.
     */
    static TargetPolicy hybrid() {
        return of(Policies.named("hybrid"));
    }

    /**
     * The computation of some values from others.
     *
     * @param name for explanations
     * @param eligible the targets that can compute it, with all values in their memory; at least one
     * @param nanos the time that it took on a target, without copies, where that was measured
     * @param reads the values that it reads, by their numbers
     * @param writes the values that it writes; from then on they are its results
     */
    record Work(
            String name,
            List<ExecutionTarget> eligible,
            Map<ExecutionTarget, Double> nanos,
            List<Integer> reads,
            List<Integer> writes) {
        public Work {
            Objects.requireNonNull(name, "name");
            eligible = List.copyOf(eligible);
            nanos = Map.copyOf(nanos);
            reads = List.copyOf(reads);
            writes = List.copyOf(writes);
            if (eligible.isEmpty()) {
                throw new IllegalArgumentException(
                        "work \"" + name + "\" is eligible for no target: name one at least");
            }
        }

        /** Returns the time on a target: the mean of the others' where it was not measured, and 0 without any. */
        public double nanosOn(ExecutionTarget target) {
            Double known = nanos.get(target);
            return known != null
                    ? known
                    : eligible.stream()
                            .filter(nanos::containsKey)
                            .mapToDouble(nanos::get)
                            .average()
                            .orElse(0);
        }
    }

    /** A value that works hand on, such as a field. */
    record Value(String name, long bytes) {}

    /** The times of copies. */
    @FunctionalInterface
    interface Copies {
        /** Returns the expected time of a copy, in nanoseconds; 0 within one target. */
        double nanos(ExecutionTarget from, ExecutionTarget to, long bytes);
    }

    /**
     * A step: works in an order in which they can be computed. A work depends on the last one before it that writes one
     * of its inputs. Values that no work has written yet are on the host when the step begins.
     *
     * @param works the works, in their order
     * @param values all values, by their numbers
     * @param copies the times of copies
     * @param memory the bytes that each device may hold
     */
    record Step(List<Work> works, List<Value> values, Copies copies, Map<ExecutionTarget, Long> memory) {
        public Step {
            works = List.copyOf(works);
            values = List.copyOf(values);
            memory = Map.copyOf(memory);
            int count = values.size();
            for (Work work : works) {
                work.reads().forEach(value -> Objects.checkIndex(value, count));
                work.writes().forEach(value -> Objects.checkIndex(value, count));
            }
        }

        /** Returns the works that each work depends on, by their numbers, ascending. */
        public List<Set<Integer>> producers() {
            int[] writers = new int[values.size()];
            Arrays.fill(writers, -1);
            List<Set<Integer>> all = new ArrayList<>();
            for (int i = 0; i < works.size(); i++) {
                SequencedSet<Integer> its = new LinkedHashSet<>();
                works.get(i).reads().stream()
                        .map(value -> writers[value])
                        .filter(writer -> writer >= 0)
                        .sorted()
                        .forEach(its::add);
                all.add(its);
                for (int value : works.get(i).writes()) {
                    writers[value] = i;
                }
            }
            return all;
        }

        /** Returns all targets that works are eligible for, in the order of the works. */
        public List<ExecutionTarget> targets() {
            return works.stream()
                    .flatMap(work -> work.eligible().stream())
                    .distinct()
                    .toList();
        }
    }

    /**
     * The answer of a policy.
     *
     * @param targets of the works, in their order
     * @param reasons why, for people, in the same order
     */
    record Choice(List<ExecutionTarget> targets, List<String> reasons) {
        public Choice {
            targets = List.copyOf(targets);
            reasons = List.copyOf(reasons);
        }

        /**
         * Throws an exception unless the choice has an eligible target for each work of the step.
         *
         * @throws IllegalStateException which names the work, its targets and the one that was chosen
         */
        public void requireEligible(Step step) {
            int works = step.works().size();
            if (targets.size() != works || reasons.size() != works) {
                throw new IllegalStateException("a policy chose " + targets.size() + " targets with " + reasons.size()
                        + " reasons for " + works + " works: each needs both");
            }
            for (int i = 0; i < works; i++) {
                Work work = step.works().get(i);
                if (!work.eligible().contains(targets.get(i))) {
                    throw new IllegalStateException("a policy chose " + targets.get(i) + " for \"" + work.name()
                            + "\", which is eligible for " + work.eligible());
                }
            }
        }
    }
}
