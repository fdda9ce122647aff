package dev.jacquard.expressions.tree;

import dev.jacquard.base.machine.ExecutionTarget;
import dev.jacquard.core.compiled.CompiledGraph;
import dev.jacquard.core.graph.TaskFailedException;
import dev.jacquard.core.session.Session;
import dev.jacquard.expressions.field.Grid;
import dev.jacquard.expressions.language.Tag;
import dev.jacquard.expressions.targets.TargetPolicy;
import dev.jacquard.expressions.targets.TargetPolicy.Choice;
import dev.jacquard.expressions.targets.TargetPolicy.Step;
import dev.jacquard.expressions.tree.BoundStep.Unit;
import dev.jacquard.insight.analysis.GraphSnapshot;
import dev.jacquard.memory.data.Data;
import dev.jacquard.memory.device.DeviceException;
import dev.jacquard.memory.device.KernelCompilationException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The runs of trees with expressions that are computed on targets that a policy gives them. Of a tree that is split,
 * the policy is for the time when the device is lost.
 *
 * <pre>
 *  run --split, and the device in service--> recorded, once --> the graph runs
 *      --times missing--> a trial: each expression on the next of its targets, measured
 *      --else--> the policy chooses, once --> recorded, once --> the graph runs
 *  a device is lost, or refuses an expression --> without it: from the begin of this run on
 * </pre>
 *
 * <p>The policy is asked, and the graph recorded, again when something changes: the policy, the devices in service, or
 * the fields that the trees' names stand for. A run computes the same bytes, wherever expressions are computed.
 *
 * <p>Threads: one at a time, and no task.
 *
 * <p>Source: the expressions thesis, sections 3.1.13 to 3.1.16.
 */
public final class TreeRuns {
    /** The recorded graphs that are kept: fields that swap make two. */
    private static final int MOST_KNOWN = 4;

    private final FieldStore fields;
    /** Does not change once a step was made. */
    private List<TreeStage> stages;

    private final List<Tag<?>> home;
    /** The fields that the trees compute into memory of their own. */
    private final List<Tag<?>> stored = new ArrayList<>();

    private final Trials trials;
    /** The slabs of the trees, which have the same; null for whole fields. */
    private final @Nullable Split split;

    /** True once no device that is left has room for a slab, or the one with the slabs failed. */
    private boolean isWhole;

    private TargetPolicy policy;

    /** The steps by the data of their fields, the newest last. */
    private final Map<List<Data>, Known> known = new LinkedHashMap<>();
    /** The targets on which expressions were tried and refused. */
    private final Refusals refused = new Refusals();
    /** The devices that were in service when the targets were looked up. */
    private List<ExecutionTarget> devices = List.of();

    private Map<String, List<ExecutionTarget>> eligible = Map.of();
    private @Nullable Choice choice;
    /** True while the newest step measures, or if it did. */
    private boolean measures;

    /** Returns the names of the numbers that the expressions of a tree need besides fields. */
    public static Set<String> parameters(ExpressionTree tree) {
        return Collections.unmodifiableSet(tree.parameters);
    }

    /** A step with the fields of one moment, and its graph, once it is recorded. */
    private static final class Known {
        final BoundStep step;

        @Nullable
        CompiledGraph graph;

        Known(BoundStep step) {
            this.step = step;
        }
    }

    private TreeRuns(FieldStore fields, List<TreeStage> stages, List<Tag<?>> home, TargetPolicy policy) {
        for (TreeStage stage : stages) {
            stage.numbers().requireAll(stage.tree().parameters, fields.grid().type());
            Split its = stage.tree().options.split();
            if (its != null) {
                its.requireAlone(isAssigned(stage.tree()));
            }
        }
        this.split = stages.isEmpty() ? null : stages.getFirst().tree().options.split();
        this.fields = fields;
        this.stages = stages;
        this.home = List.copyOf(home);
        keepUsers();
        noteStored();
        this.policy = policy;
        this.trials = new Trials(fields);
    }

    /** Returns the runs of a tree, of expressions without parameters. */
    public static TreeRuns of(ExpressionTree tree, FieldStore fields, TargetPolicy policy) {
        return of(tree, fields, policy, Parameters.fixed(Map.of()));
    }

    /**
     * Returns the runs of a tree, with targets that a policy gives to all expressions for which the user has named none
     * by {@link ExpressionTree#on} or {@link FieldStore#live}. A tree that is split runs in two slabs as long as a
     * device that it may take is in service, and then as the policy says.
     *
     * @param parameters all that the expressions have, and perhaps more; may change from run to run
     */
    public static TreeRuns of(ExpressionTree tree, FieldStore fields, TargetPolicy policy, Parameters parameters) {
        return of(fields, List.of(new TreeStage(tree, parameters, List::of)), List.of(), policy);
    }

    /**
     * Returns the runs of trees, one after the other.
     *
     * @param home fields that are on the host when a run is over, the ones that have boundaries before the first tree,
     *     which are filled there then; none if these are to be filled where the fields are
     */
    public static TreeRuns of(FieldStore fields, List<TreeStage> stages, List<Tag<?>> home, TargetPolicy policy) {
        Objects.requireNonNull(fields, "fields");
        return new TreeRuns(fields, stages, home, Objects.requireNonNull(policy, "policy"));
    }

    /** Returns true if the user has assigned expressions of a tree to targets. */
    public static boolean isAssigned(ExpressionTree tree) {
        return !tree.options.targets().isEmpty();
    }

    /** Lets another policy choose from the next run on. */
    public void policy(TargetPolicy other) {
        policy = Objects.requireNonNull(other, "policy");
        forgetChoice();
    }

    /**
     * Computes all fields. After a device's loss, or its refusal, the run begins again without it.
     *
     * @throws TaskFailedException if a task failed
     * @throws IllegalStateException if the run cannot begin again, since a device alone had its first inputs, or since
     *     an expression is assigned to a device that is lost; if the policy chose a target that is not eligible
     */
    public void run() {
        while (true) {
            Known now = now();
            if (split != null && isSplit() && !fitsInSlabs(split, now)) {
                continue; // as the policy says, which may measure first
            }
            try {
                measures = !isSplit() && policy.usesTimes() && !trials.areOver(now.step, eligible);
                if (measures) {
                    measure(now.step);
                } else {
                    run(graph(now));
                }
                return;
            } catch (TaskFailedException e) {
                recover(now.step, e);
            }
        }
    }

    private void run(CompiledGraph graph) {
        if (graph.isRunning()) {
            graph.join(); // a run with an interrupted thread
        }
        if (policy.usesTimes() && !isSplit()) {
            trials.between(graph);
            trials.beginAgain(eligible);
        } else {
            graph.run();
        }
    }

    /** Runs a step that measures, and chooses again when all is measured that was chosen by older times. */
    private void measure(BoundStep step) {
        trials.run(step, eligible);
        Choice old = choice;
        if (old != null && trials.areOver(step, eligible)) {
            choice = null;
            if (!choice(step).targets().equals(old.targets())) {
                known.values().forEach(its -> its.graph = null);
            }
        }
    }

    /** Returns true if fields are in two slabs: as long as there is a device for it. */
    private boolean isSplit() {
        return split != null && !isWhole && split.isInService(fields.session());
    }

    /**
     * Records a step in slabs. Returns false where a device that it might take is lost, and the next one is too small:
     * fields are whole from then on.
     */
    private boolean fitsInSlabs(Split slabs, Known its) {
        try {
            CompiledGraph _ = graph(its);
            return true;
        } catch (IllegalArgumentException e) {
            Session session = fields.session();
            if (session.devices(slabs.device()).stream().noneMatch(one -> DeviceTargets.isLost(session, one))) {
                throw e;
            }
            isWhole = true;
            return false;
        }
    }

    /** Returns the step with the fields as they are; its targets are looked up. */
    private Known now() {
        List<ExecutionTarget> inService = DeviceTargets.all(fields.session()).stream()
                .filter(device -> !DeviceTargets.isLost(fields.session(), device))
                .toList();
        if (!inService.equals(devices)) {
            devices = inService;
            eligible = Map.of();
        }
        List<Data> key = data();
        Known its = known.get(key);
        if (its == null) {
            if (known.size() == MOST_KNOWN) {
                known.remove(known.keySet().iterator().next());
            }
            its = new Known(new BoundStep(fields, stages, home));
            known.put(key, its);
        }
        if (eligible.isEmpty()) {
            Map<String, List<ExecutionTarget>> all = new HashMap<>();
            for (Unit unit : its.step.units()) {
                Unit leader = its.step.leader(unit);
                all.put(unit.name(), its.step.eligible(leader, refused.of(leader)));
            }
            eligible = all;
            forgetChoice();
        }
        return its;
    }

    /** Has the trees store the fields that are in memory of the user's, as these are before the first step. */
    private void keepUsers() {
        stages = stages.stream().map(stage -> stage.inStore(fields)).toList();
        stored.clear();
        for (TreeStage stage : stages) {
            Set<Tag<?>> staying = stage.tree().memory().persistent();
            stage.tree().fates().keySet().stream().filter(staying::contains).forEach(stored::add);
        }
    }

    /** Returns the data of the fields that stay. */
    private List<Data> data() {
        if (known.isEmpty()) {
            keepUsers();
        }
        noteStored();
        Grid grid = fields.grid();
        List<Data> all = new ArrayList<>();
        for (TreeStage stage : stages) {
            for (Tag<?> tag : stage.tree().memory().persistent()) {
                for (int axis = 0; axis < tag.components(grid); axis++) {
                    all.add(fields.field(tag, axis).data());
                }
            }
        }
        return all;
    }

    /** Another tree may have computed these fields without memory: these runs write them. */
    private void noteStored() {
        stored.forEach(tag -> fields.old.setUnstored(tag, null));
    }

    private void forgetChoice() {
        choice = null;
        known.values().forEach(its -> its.graph = null);
    }

    private Choice choice(BoundStep bound) {
        Choice its = choice;
        if (its == null) {
            Step step = bound.step(eligible, trials.nanos());
            Choice chosen = Objects.requireNonNull(policy.choose(step), () -> policy + " chose null, and no targets");
            chosen.requireEligible(step);
            its = new Choice(bound.targets(chosen), chosen.reasons());
            choice = its;
        }
        return its;
    }

    private CompiledGraph graph(Known its) {
        CompiledGraph graph = its.graph;
        if (graph == null) {
            Split slabs = isSplit() ? split : null;
            PlacedTasks placed =
                    slabs == null ? its.step.placed(choice(its.step).targets()) : new PlacedTasks();
            graph = fields.session().record("step", tasks -> {
                stages.getFirst().tree().scheduler().ifPresent(tasks::scheduler);
                if (slabs == null) {
                    placed.submit(fields.session(), tasks);
                } else {
                    its.step.submitSplit(tasks, slabs);
                }
            });
            its.graph = graph;
        }
        return graph;
    }

    // ---- failures

    /** Sees to it that the next try goes elsewhere. Throws if there is nowhere, or nothing to begin with. */
    private void recover(BoundStep step, TaskFailedException failure) {
        boolean isTheDevices = failure.getCause() instanceof DeviceException
                && !(failure.getCause() instanceof KernelCompilationException);
        boolean lost = devices.stream().anyMatch(device -> DeviceTargets.isLost(fields.session(), device));
        if (!lost && !(isTheDevices && (isSplit() ? staysWhole() : refuse(step, failure)))) {
            throw failure;
        }
        step.requireRepeatable(failure);
        eligible = Map.of();
    }

    /** Lets fields be whole from now on, since the device with their slabs failed. Returns true. */
    private boolean staysWhole() {
        isWhole = true;
        return true;
    }

    /** Notes that a device refuses an expression; returns false if the user wants it there, or no device had it. */
    private boolean refuse(BoundStep step, TaskFailedException failure) {
        List<ExecutionTarget> where = new ArrayList<>();
        for (int i = 0; i < step.units().size(); i++) {
            where.add(
                    choice == null || measures
                            ? trials.last(step.leader(step.units().get(i)), eligible)
                            : choice.targets().get(i));
        }
        return refused.note(step, where, devices, failure);
    }

    // ---- for people

    /**
     * Returns where the fields are computed that are stored; none before the first choice, nor before the next one when
     * a device was lost.
     */
    public Map<Tag<?>, ExecutionTarget> targets() {
        Map<Tag<?>, ExecutionTarget> all = new LinkedHashMap<>();
        List<Unit> units = now().step.units(); // first: forgets the choice when a device was lost
        Choice its = choice;
        if (its != null) {
            for (int i = 0; i < units.size(); i++) {
                for (Tag<?> tag : units.get(i).tags()) {
                    all.put(tag, its.targets().get(i));
                }
            }
        }
        return all;
    }

    /** Returns the targets that each expression is eligible for, by its name. */
    public Map<String, List<ExecutionTarget>> eligible() {
        now();
        return Map.copyOf(eligible);
    }

    /** Returns the prefetches of a run, such as "flux.x to emulated0", in their order; none before the first choice. */
    public List<String> prefetches() {
        BoundStep step = now().step;
        return choice == null ? List.of() : step.placed(choice.targets()).aheadText();
    }

    /** Returns the reasons for the targets, a line for each expression; nothing before the first choice. */
    public String explain() {
        return choice == null ? "" : String.join("\n", choice.reasons());
    }

    /** Returns the tasks of a run, to be drawn or analysed; none before the first choice. */
    public GraphSnapshot snapshot() {
        Known its = now();
        return choice == null && !isSplit()
                ? GraphSnapshot.builder("step").build()
                : graph(its).snapshot();
    }
}
