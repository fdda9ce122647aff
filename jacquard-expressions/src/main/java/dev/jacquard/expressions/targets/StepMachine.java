package dev.jacquard.expressions.targets;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.base.machine.Place;
import dev.jacquard.engine.work.MachineState;
import dev.jacquard.engine.work.ReadyTask;
import dev.jacquard.expressions.targets.TargetPolicy.Step;
import dev.jacquard.expressions.targets.TargetPolicy.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The targets of a step as places for policies that place one task at a time: the works take their targets in their
 * order. Where no work of the step was measured, each counts as 1. Confined to one choice.
 */
final class StepMachine implements MachineState {
    private final Step step;
    private final boolean known;
    private final Timeline timeline;
    private final Map<ExecutionTarget, Place> placeOf = new LinkedHashMap<>();
    private final Map<Place, Load> loads = new HashMap<>();
    /** The places of the work that is placed next. */
    private List<Place> offered = List.of();

    StepMachine(Step step) {
        this.step = step;
        this.known = step.works().stream().anyMatch(work -> !work.nanos().isEmpty());
        this.timeline = new Timeline(step);
        for (ExecutionTarget target : step.targets()) {
            Place place = target.equals(ExecutionTarget.HOST)
                    ? Place.HOST
                    : Place.device(target, target.name(), Place.FIRST_NUMBER + placeOf.size());
            placeOf.put(target, place);
            loads.put(place, new Load(target, new ArrayList<>()));
        }
    }

    /** A target with the works that it was given so far. */
    private record Load(ExecutionTarget target, List<Work> works) {}

    /** A work of the step as policies see it. */
    record StepTask(Work work, int number, int depth, int consumers) implements ReadyTask {
        @Override
        public String name() {
            return work.name();
        }

        @Override
        public long id() {
            return number;
        }

        @Override
        public long expectedNanos() {
            return Math.round(work.nanos().values().stream()
                    .mapToDouble(nanos -> nanos)
                    .average()
                    .orElse(0));
        }
    }

    /** Returns the works as tasks. */
    List<StepTask> tasks() {
        int[] depths = new int[step.works().size()];
        int[] consumers = new int[depths.length];
        for (int work = 0; work < depths.length; work++) {
            for (int producer : step.producers().get(work)) {
                depths[work] = Math.max(depths[work], depths[producer] + 1);
                consumers[producer]++;
            }
        }
        List<StepTask> tasks = new ArrayList<>();
        for (int work = 0; work < depths.length; work++) {
            tasks.add(new StepTask(step.works().get(work), work, depths[work], consumers[work]));
        }
        return tasks;
    }

    /** The task is placed next. */
    void offer(StepTask task) {
        offered = task.work().eligible().stream().map(placeOf::get).toList();
    }

    /** Gives the task to a place; returns the target there. */
    ExecutionTarget give(StepTask task, Place place) {
        Load load = load(place);
        load.works.add(task.work());
        timeline.give(task.work(), load.target);
        return load.target;
    }

    private Load load(Place place) {
        requireOffered(place);
        return Objects.requireNonNull(loads.get(place));
    }

    private Stream<Integer> reads(ReadyTask task) {
        return ((StepTask) task).work().reads().stream();
    }

    private long bytes(Stream<Integer> values) {
        return values.distinct()
                .mapToLong(value -> step.values().get(value).bytes())
                .sum();
    }

    @Override
    public List<Place> places() {
        return offered;
    }

    @Override
    public int tasks(Place place) {
        return load(place).works.size();
    }

    @Override
    public double queuedNanos(Place place) {
        Load load = load(place);
        return load.works.stream()
                .mapToDouble(work -> known ? work.nanosOn(load.target) : 1)
                .sum();
    }

    @Override
    public double runNanos(ReadyTask task, Place place) {
        return ((StepTask) task).work().nanos().getOrDefault(load(place).target, -1.0);
    }

    @Override
    public double dataNanos(ReadyTask task, Place place) {
        ExecutionTarget target = load(place).target;
        return reads(task)
                .mapToDouble(value -> timeline.arrival(value, target))
                .max()
                .orElse(0);
    }

    @Override
    public long missingBytes(ReadyTask task, Place place) {
        ExecutionTarget target = load(place).target;
        return bytes(reads(task).filter(value -> !timeline.has(value, target)));
    }

    @Override
    public long bytes(ReadyTask task) {
        return bytes(Stream.concat(reads(task), ((StepTask) task).work().writes().stream()));
    }

    @Override
    public boolean isAway(Place place) {
        requireOffered(place);
        return false;
    }
}
