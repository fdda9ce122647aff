package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.graph.Tasks;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy.Choice;
import dev.jacquard.expressions.targets.TargetPolicy.Step;
import dev.jacquard.expressions.targets.TargetPolicy.Value;
import dev.jacquard.expressions.targets.TargetPolicy.Work;
import dev.jacquard.memory.data.Data;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of a step, in their order, with the fields that a store has now. Confined to the thread that runs the step.
 */
final class BoundStep {
    /**
     * A part of the step with one target: the boundaries of a field, or the loops of a separate computation.
     *
     * @param name unique in the step
     * @param tags the fields that it computes; none of boundaries
     * @param on the target that the user has named; null for none
     * @param leader the number of the unit that shares its target with this one; -1 for its own target
     */
    record Unit(
            String name,
            Set<Tag<?>> tags,
            List<? extends FieldTask> tasks,
            Parameters numbers,
            @Nullable ExecutionTarget on,
            int leader) {
        private boolean isBoundaries() {
            return tags.isEmpty();
        }

        private Set<Data> data(boolean written) {
            Set<Data> all = new LinkedHashSet<>();
            tasks.forEach(task -> all.addAll(written ? task.writes() : task.reads()));
            return all;
        }
    }

    private final Session session;
    private final List<Unit> units = new ArrayList<>();
    private final Set<Data> home = new LinkedHashSet<>();
    /**
     * The data that is there before the step, with the names of the fields now: where fields swap, data keeps that of
     * the field for which it was made.
     */
    private final Map<Data, String> sources = new LinkedHashMap<>();
    /** The fields that the step writes itself, but for their ghosts. */
    private final Set<Data> overwritten = new LinkedHashSet<>();

    BoundStep(FieldStore fields, List<TreeStage> stages, List<Tag<?>> broughtHome) {
        this.session = fields.session();
        for (int i = 0; i < stages.size(); i++) {
            TreeStage stage = stages.get(i);
            String behind = stages.size() > 1 ? " (stage " + i + ')' : "";
            for (Boundaries one : stage.before().get()) {
                FilledGhosts task = new FilledGhosts(one);
                ExecutionTarget on = i == 0 && !broughtHome.isEmpty() ? ExecutionTarget.HOST : null; // there it is
                units.add(new Unit(one.taskName() + behind, Set.of(), List.of(task), stage.numbers(), on, -1));
            }
            for (TreeTasks.Unit one : stage.tree().units(fields, fields.pool().recorded())) {
                ExecutionTarget on = one.on() == null ? one.assignment().where() : one.on();
                units.add(new Unit(
                        one.name() + behind, one.tags(), one.assignment().tasks(), stage.numbers(), on, -1));
            }
        }
        for (int i = 0; i < units.size(); i++) {
            Unit unit = units.get(i);
            if (unit.isBoundaries() && unit.on == null) {
                int leader = leader(i);
                ExecutionTarget on = leader < 0 ? ExecutionTarget.HOST : null;
                units.set(i, new Unit(unit.name, unit.tags, unit.tasks, unit.numbers, on, leader));
            }
        }
        for (Tag<?> tag : broughtHome) {
            for (int axis = 0; axis < tag.components(fields.grid()); axis++) {
                home.add(fields.field(tag, axis).data());
            }
        }
        Set<Data> written = new LinkedHashSet<>();
        for (Unit unit : units) {
            for (FieldTask task : unit.tasks) {
                task.inputs().stream()
                        .filter(field -> !written.contains(field.data()))
                        .forEach(field -> sources.putIfAbsent(field.data(), field.name()));
            }
            written.addAll(unit.data(true));
            if (!unit.isBoundaries()) {
                overwritten.addAll(unit.data(true));
            }
        }
        overwritten.retainAll(sources.keySet());
    }

    /**
     * Returns the unit that boundaries share their target with: the one that computes the field, or, of a field that is
     * there before the step, the last one that reads it, which is the one that advances it, as it was when it was
     * computed. -1 if nothing does.
     */
    private int leader(int boundaries) {
        Set<Data> field = units.get(boundaries).data(true);
        for (int i = boundaries - 1; i >= 0; i--) {
            if (!units.get(i).isBoundaries() && units.get(i).data(true).containsAll(field)) {
                return i;
            }
        }
        for (int i = units.size() - 1; i > boundaries; i--) {
            if (!units.get(i).isBoundaries() && units.get(i).data(false).containsAll(field)) {
                return i;
            }
        }
        return -1;
    }

    List<Unit> units() {
        return units;
    }

    /** Returns the unit that a policy gives a target: the unit itself, or the one that it shares its target with. */
    Unit leader(Unit unit) {
        return unit.leader < 0 ? unit : units.get(unit.leader);
    }

    /** Returns the targets of all units. */
    List<ExecutionTarget> targets(Choice choice) {
        Map<String, ExecutionTarget> all = new HashMap<>();
        int number = 0;
        for (Unit unit : units) {
            if (unit.leader < 0) {
                all.put(unit.name, choice.targets().get(number++));
            }
        }
        return units.stream()
                .map(unit -> Objects.requireNonNull(all.get(leader(unit).name)))
                .toList();
    }

    /** Returns the targets on which a unit can be computed: the host, and devices that have room for all it touches. */
    List<ExecutionTarget> eligible(Unit unit, Set<ExecutionTarget> refused) {
        if (unit.on != null) {
            ExecutionTarget only = DeviceTargets.named(session, unit.name, unit.on);
            if (session.devices(only).stream().anyMatch(device -> DeviceTargets.isLost(session, device))) {
                throw new IllegalStateException("\"" + unit.name + "\" is assigned to " + unit.on
                        + ", which is lost: assign it to another target, or leave that to the policy");
            }
            return List.of(only);
        }
        List<ExecutionTarget> eligible = new ArrayList<>(List.of(ExecutionTarget.HOST));
        for (ExecutionTarget device : DeviceTargets.all(session)) {
            if (!refused.contains(device) && !DeviceTargets.isLost(session, device) && fits(unit, device)) {
                eligible.add(device);
            }
        }
        return eligible;
    }

    /** Returns true if the engine would take the tasks for that device: they run there, and all they touch fits. */
    private boolean fits(Unit unit, ExecutionTarget device) {
        try {
            unit.tasks.forEach(task -> task.requireRunsOn(device));
            session.record(graph -> submit(graph, unit, device));
            return true;
        } catch (IllegalArgumentException e) { // a loop for the host alone, or too little memory
            return false;
        }
    }

    /** Submits all tasks in two slabs, but for boundaries that are filled on the host: these are whole. */
    void submitSplit(Tasks graph, Split split) {
        Split here = split.on(session);
        List<FieldTask> loops = new ArrayList<>();
        units.stream().filter(unit -> !unit.isBoundaries()).forEach(unit -> loops.addAll(unit.tasks));
        Map<Data, Integer> below = Split.below(loops);
        for (Unit unit : units) {
            if (unit.isBoundaries() && unit.on != null) {
                submit(graph, unit, unit.on);
            } else {
                unit.tasks.forEach(task -> task.submitSplit(session, graph, here, below, unit.numbers));
            }
        }
        bringHome(graph);
    }

    /** Submits the tasks of a unit alone. */
    void submit(Tasks graph, Unit unit, ExecutionTarget where) {
        unit.tasks.forEach(task -> task.submit(session, graph, where, unit.numbers));
    }

    /** Submits prefetches of all that a unit reads. */
    void prefetch(Tasks graph, Unit unit, ExecutionTarget where) {
        unit.data(false).forEach(data -> graph.prefetch(data).to(where));
    }

    /** Submits prefetches of the fields that are to be on the host. */
    void bringHome(Tasks graph) {
        home.forEach(data -> graph.prefetch(data).to(ExecutionTarget.HOST));
    }

    /**
     * Returns the step as policies see it: the units with their own targets, and a last work that copies to the host
     * the fields that are to be there.
     */
    Step step(Map<String, List<ExecutionTarget>> eligible, Map<String, Map<ExecutionTarget, Double>> nanos) {
        Map<Data, Integer> numbers = new LinkedHashMap<>();
        List<Value> values = new ArrayList<>();
        List<Work> works = new ArrayList<>();
        for (Unit unit : units) {
            if (unit.leader >= 0) {
                continue; // where its field is there is next to nothing to do
            }
            works.add(new Work(
                    unit.name,
                    Objects.requireNonNull(eligible.get(unit.name)),
                    nanos.getOrDefault(unit.name, Map.of()),
                    numbered(unit.data(false), numbers, values),
                    numbered(unit.data(true), numbers, values)));
        }
        if (!home.isEmpty()) {
            List<Integer> all = numbered(home, numbers, values);
            works.add(
                    new Work("home", List.of(ExecutionTarget.HOST), Map.of(ExecutionTarget.HOST, 0.0), all, List.of()));
        }
        Map<ExecutionTarget, Long> memory = new HashMap<>();
        DeviceTargets.all(session).forEach(device -> memory.put(device, DeviceTargets.memory(session, device)));
        return new Step(
                works, values, (from, to, bytes) -> session.data().copyNanos(from.name(), to.name(), bytes), memory);
    }

    private static List<Integer> numbered(Set<Data> all, Map<Data, Integer> numbers, List<Value> values) {
        List<Integer> its = new ArrayList<>();
        for (Data data : all) {
            its.add(numbers.computeIfAbsent(data, any -> {
                values.add(new Value(
                        data.name(),
                        data.box().elements() * data.layout().type().bytes()));
                return values.size() - 1;
            }));
        }
        return its;
    }

    /** Returns true if a task of that name is one of the unit's, or brings something that it reads or writes. */
    static boolean isOf(Unit unit, String task) {
        return unit.tasks.stream().anyMatch(its -> its.name().equals(task))
                || Stream.of(unit.data(false), unit.data(true))
                        .flatMap(Set::stream)
                        .anyMatch(data -> task.equals("prefetch " + data.name()));
    }

    /** Returns all tasks with their targets, in the order of the units. */
    PlacedTasks placed(List<ExecutionTarget> targets) {
        PlacedTasks placed = new PlacedTasks();
        for (int i = 0; i < units.size(); i++) {
            Unit unit = units.get(i);
            for (FieldTask task : unit.tasks) {
                placed.add(session, task, targets.get(i), unit.numbers);
            }
        }
        placed.bringHome(home);
        return placed;
    }

    /**
     * Throws an exception if the step cannot be done again.
     *
     * @throws IllegalStateException if something that it reads first is gone with a device, or is overwritten by now
     */
    void requireRepeatable(RuntimeException failure) {
        String gone = sources.entrySet().stream()
                .filter(one -> session.data().query(one.getKey()).where().parts().stream()
                        .anyMatch(part -> part.newest().isEmpty()))
                .map(one -> '"' + one.getValue() + '"')
                .collect(Collectors.joining(", "));
        if (!gone.isEmpty()) {
            throw new IllegalStateException(
                    "the step cannot be computed again from its sources: " + gone
                            + (gone.contains(", ") ? " were" : " was")
                            + " lost with a device that alone had it, or with a task that failed while it wrote"
                            + " there: set it again, or restore a checkpoint",
                    failure);
        }
        if (!overwritten.isEmpty()) {
            throw new IllegalStateException(
                    "the step cannot be computed again from its sources: it writes "
                            + overwritten.stream().map(sources::get).toList()
                            + ", which it reads first: set them again",
                    failure);
        }
    }
}
